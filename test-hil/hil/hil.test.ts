import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { temporaryFolder } from '../../src/test-kit/end-with-parent.ts';
import { suite } from '../../src/test-kit/suite.ts';
import { FAULTS, PASSING } from '../scenarios/cases.ts';
import { type RigPart, readBenchFile } from './bench-file.ts';
import { HilRig } from './hil-rig.ts';
import { type Ended, SshSession } from './ssh.ts';

const file = process.env.RIG_HIL_BENCH;
const bench = file === undefined ? undefined : readBenchFile(file);
const session = bench && new SshSession(bench.rig, join(temporaryFolder('hil-'), 'ssh.sock'));
const rig = bench && session && new HilRig(bench, (command, input) => session.run(command, input));
const test = suite(`HIL suite on ${file ?? 'no rig'}`);

/** An emulated machine beside other work is slow. */
const SLOW = { timeoutMs: 60 * 60_000 };
const PARTS: Readonly<Record<string, RigPart[]>> = {
  'mask-leak': ['valves', 'pump', 'sensors', 'mask'],
  'lung-smoke': ['valves', 'lung'],
};

/** A test with the rig, which is skipped where something that it needs is not there. */
function onRig(title: string, parts: readonly RigPart[], needsTwins: boolean, body: (it: HilRig) => unknown) {
  const missing = () => {
    if (!rig) return 'needs a rig: npm run test:hil -- --config bench.yaml';
    const absent = parts.filter((part) => !rig.has(part));
    if (absent.length > 0) return `not connected on this rig: ${absent.join(', ')}`;
    return needsTwins && !rig.twins ? 'the fault can be set on twins only' : undefined;
  };
  const why = missing();
  test.needs(why === undefined, why ?? '')(title, () => rig && body(rig), SLOW);
}

const partsOf = (scenario: string): RigPart[] => PARTS[scenario] ?? ['valves', 'pump', 'sensors'];

test.after(() => session?.close());

const ready = async () => {
  await rig?.twins?.reset();
  await rig?.untilReady();
};

test.before(ready, SLOW);

/** For the next test, also after one that has failed. A stop stays in force, so it is for a rig that cannot be made safe in another way. */
test.after.each(async () => {
  if (!rig) return;
  await ready();
  const { code } = await rig.run("svcctl cmd 'WAIT 1 ms'");
  if (code !== 0) await rig.run('svcctl stop');
});

async function isOff(it: HilRig): Promise<void> {
  if (it.twins) assert.equal(await it.twins.outputsOn(), []);
}

const passes = ({ code, stdout, stderr }: Ended) => {
  assert.is(code, 0, stdout + stderr);
  assert.match(stdout, /\n(\d+)\/\1 passed( \(bench, not a test\))?\n$/);
};

onRig('IMG-006 doctor finds every device and no error', ['valves', 'pump', 'sensors'], false, async (it) => {
  const { code, stdout, stderr } = await it.run('svcctl doctor --json');
  const { issues } = JSON.parse(stdout) as { issues: { severity: string; message: string }[] };
  const errors = issues.filter(({ severity }) => severity === 'error').map(({ message }) => message);
  assert.equal(errors, [], stderr);
  assert.is(code, 0);
});

for (const [scenario, knobs] of Object.entries({ ...PASSING, 'lung-smoke': {} }))
  onRig(`IMG-008 ${scenario} passes on the devices`, partsOf(scenario), false, async (it) => {
    await it.twins?.set(knobs);
    passes(await it.scenario(scenario));
    await isOff(it);
  });

const LUNG_FAULT = {
  scenario: 'lung-smoke',
  fault: 'a motor that does not move',
  knobs: { tic: { no_motion: true } },
  code: 3,
  says: /lung/,
} as const;

for (const { scenario, fault, knobs, code, says } of [...FAULTS, LUNG_FAULT])
  onRig(`IMG-008 ${scenario} with ${fault} ends with ${code}`, partsOf(scenario), true, async (it) => {
    await it.twins?.set(knobs);
    const ended = await it.scenario(scenario);
    const text = ended.stdout + ended.stderr;
    assert.is(ended.code, code, text);
    assert.match(text, says);
    // An error is not a verdict on the device.
    const last = ended.stdout.trimEnd().split('\n').at(-1) ?? '';
    assert.not.match(last, code === 1 ? /error/ : /failed/);
    await isOff(it);
  });

test.run();
