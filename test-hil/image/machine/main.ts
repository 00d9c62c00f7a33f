// npm run test:image [-- --smoke] [-- --full] [-- --cuts N] [-- --rounds N] [-- --seed N] [-- --only TEXT]: builds the image and tests it in an emulated machine (docs/image.md)
import { spawn } from 'node:child_process';
import { parseArgs } from 'node:util';
import { imageToolsMissing } from '../../../src/image/image-tools.ts';
import { qemuMissing } from './built-image.ts';

const MODULES = ['--import', 'tsx'];
/** A week, in minutes, of a file: it ends by the machine's time, and takes a thousand power cuts if they are wanted. */
const WEEK = 7 * 24 * 60;
/** The others are about parts of it, in another guest (npm run test:guest). */
const TESTS = ['rig-machine', 'appliance', 'machine'].map((name) => `test-hil/image/${name}`);

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      full: { type: 'boolean', default: false },
      smoke: { type: 'boolean', default: false },
      cuts: { type: 'string', default: '20' },
      seed: { type: 'string', default: '1' },
      rounds: { type: 'string', default: '1' },
      only: { type: 'string' },
    },
  });
  for (const name of ['cuts', 'seed', 'rounds'] as const)
    if (!/^\d+$/.test(values[name])) throw new Error(`--${name} ${values[name]}: give a whole number`);
  if (values.smoke && values.full) throw new Error('give --smoke or --full, not both');
  const missing = [imageToolsMissing(), qemuMissing()].filter((one) => one !== undefined);
  if (missing.length > 0) throw new Error(missing.join('; '));
  // Of the first of the test files.
  const isPart = values.smoke || values.only !== undefined;
  // It says by itself what failed, a mirror that does not answer for example.
  const image = ['run', '--silent', 'image', ...(isPart ? ['--', '--uncompressed'] : [])];
  if ((await run('npm', image)) !== 0) return 1;
  const env = {
    RIG_TEST_IMAGE: '1',
    ...(values.full ? { RIG_TEST_IMAGE_FULL: '1' } : {}),
    ...(values.smoke ? { RIG_TEST_IMAGE_SMOKE: '1' } : {}),
    RIG_TEST_CUTS: values.cuts,
    RIG_TEST_SEED: values.seed,
    RIG_TEST_ROUNDS: values.rounds,
    RIG_TEST_ONLY: values.only ?? '',
  };
  const isAll = values.full && !isPart;
  if (isAll && (await run(process.execPath, [...MODULES, 'test-hil/image/prepare/main.ts'])) !== 0) return 1;
  const runner = ['src/test-kit/run.ts', '--jobs=2', '--verbose', `--file-minutes=${WEEK}`];
  const tests = isAll ? ['test-hil/image'] : TESTS.slice(0, isPart ? 1 : undefined);
  return run(process.execPath, [...MODULES, ...runner, ...tests], env);
}

/** @returns the exit code */
function run(program: string, args: readonly string[], env: Record<string, string> = {}): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: 'inherit', env: { ...process.env, ...env } });
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
    child.once('error', reject);
    child.once('close', (code) => resolve(code ?? 1));
  });
}

main().then(
  (code) => {
    process.exitCode = code;
  },
  (fault: unknown) => {
    process.stderr.write(`test:image: ${fault instanceof Error ? fault.message : String(fault)}\n`);
    process.exitCode = 1;
  },
);
