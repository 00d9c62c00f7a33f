import { Session } from 'node:inspector/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { mergeConfig } from '../../rig/configuration/load-config.ts';
import { parseConfig } from '../../rig/configuration/read-file.ts';
import { registryOf } from '../../rig/registry/registry-of.ts';
import { Interpreter } from '../../scenario/interpreter.ts';
import { openBenchRig } from '../../test-kit/services/rig.ts';

const SRC = fileURLToPath(new URL('../../', import.meta.url));
/** Files of the twins, and those of this measurement. */
const NOT_THE_PRODUCT = /^(bench|lab|test-kit)\/|^devices\/.*\b(twin|knobs|slave|responder|outputs)\b/;

const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** Names of the files of `src` in which a function ran while `action` did, by V8's counts. */
async function filesOf(session: Session, action: () => Promise<unknown>): Promise<string[]> {
  await session.post('Profiler.takePreciseCoverage');
  await action();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  return result
    .filter(({ functions }) =>
      functions.some(({ functionName, ranges }) => functionName !== '' && (ranges[0]?.count ?? 0) > 0),
    )
    .flatMap(({ url }) => (url.startsWith(`file://${SRC}`) ? [fileURLToPath(url).slice(SRC.length)] : []))
    .filter((path) => !NOT_THE_PRODUCT.test(path))
    .sort();
}

/** `npm run measure:files [-- --list]`: how many files a reader meets who follows an action through the house. */
async function main(): Promise<void> {
  const { values } = parseArgs({ options: { list: { type: 'boolean', default: false } } });
  const rig = await openBenchRig();
  try {
    const bridge = await rig.start();
    const registry = registryOf(mergeConfig(parseConfig(rig.yaml, 'svc.yaml'), {}));
    const run = async (goal: string) => {
      const interpreter = new Interpreter({
        ...{ mode: 'execute', firmwareUrl: bridge.url, registry, withoutGuard: true },
      });
      const result = await interpreter.run(`GOAL:\n  SET NAME 'x'\n${goal}`, 'measure.oql');
      if (!result.ok) throw new Error(`"${goal}" ended with ${result.outcome}`);
    };
    const valve = async () => {
      const { status } = await bridge.call('POST /api/v1/hardware/valve/valve-1?value=true');
      if (status !== 200) throw new Error(`the valve was answered with ${status}`);
      await bridge.call('POST /api/v1/hardware/valve/valve-1?value=false');
    };
    const sensor = () => bridge.call('GET /api/v1/hardware/sensor/AI01');
    const actions: [string, () => Promise<unknown>][] = [
      ['HTTP: open and close a valve', valve],
      ['HTTP: read a sensor', sensor],
      ['scenario: SET a valve', () => run('  SET valve-1 on\n  SET valve-1 off\n')],
      ["scenario: ASSERT a sensor's value", () => run('  ASSERT_SENSOR AI01 >= 0 V\n')],
      [
        'validate a scenario',
        () => new Interpreter({ mode: 'validate', registry }).run('GOAL:\n  CHECK AI01 >= 0 V\n', 'm.oql'),
      ],
    ];
    const session = new Session();
    session.connect();
    await session.post('Profiler.enable');
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
    say('files of src in which a function runs, twins left out');
    for (const [name, action] of actions) {
      // What is loaded or made at the first time only is not what a reader follows.
      await action();
      const files = await filesOf(session, action);
      say(`  ${String(files.length).padStart(4)}  ${name}`);
      if (values.list) for (const file of files) say(`          ${file}`);
    }
    session.disconnect();
  } finally {
    await rig.close();
  }
}

main().catch((fault: unknown) => {
  process.stderr.write(`measure:files: ${fault instanceof Error ? fault.message : String(fault)}\n`);
  process.exitCode = 1;
});
