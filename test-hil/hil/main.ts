// npm run test:hil -- --config bench.yaml: the HIL suite on a rig with devices (docs/hil-bench.md)
import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { readBenchFile } from './bench-file.ts';

function main(): void {
  const { values } = parseArgs({ options: { config: { type: 'string' } } });
  if (values.config === undefined)
    throw new Error('give the rig: npm run test:hil -- --config bench.yaml (test-hil/bench.example.yaml)');
  const config = resolve(values.config);
  readBenchFile(config);
  // In minutes, a day: an emulated rig on a busy host is slow, and each test has a limit of its own.
  const runner = ['--import', 'tsx', 'src/test-kit/run.ts', '--file-minutes=1440', 'test-hil/hil'];
  const tests = spawn(process.execPath, runner, {
    stdio: 'inherit',
    env: { ...process.env, RIG_HIL_BENCH: config },
  });
  tests.once('close', (code) => {
    process.exitCode = code ?? 1;
  });
}

try {
  main();
} catch (fault) {
  process.stderr.write(`test:hil: ${fault instanceof Error ? fault.message : String(fault)}\n`);
  process.exitCode = 2;
}
