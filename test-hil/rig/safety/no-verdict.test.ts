import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { systemClock } from '../../../src/lib/clock/clock.ts';
import { suite } from '../../../src/test-kit/suite.ts';
import { BenchRig, WITHOUT_GUARD } from '../bench/bench-rig.ts';
import { end, launch, launchReady } from '../bench/program.ts';
import { type Spoil, SpoilingProxy } from './spoiling-proxy.ts';

const test = suite('built bundles: what is in doubt is never a verdict');
let rig: BenchRig;
let proxy: SpoilingProxy;
let throughProxy = '';

test.before(async () => {
  rig = await BenchRig.open();
  proxy = new SpoilingProxy(rig.bridge.url);
  throughProxy = await proxy.open();
});
test.after(async () => {
  proxy.close();
  await rig.close();
});

const OPEN_COIL_0 = '01 05 00 00 FF 00 8C 3A';

/** A reading judged, with the valve open; the teardown opens a second valve, so that the twins report whether it ran. */
const JUDGED = `GOAL:
  SET NAME 'Judged'
  SET valve-nc open
  CHECK AI01 <= 4 V
CONFIG teardown:
  SET valve-sc open
  SET valve-sc close
`;

/** Runs it through the proxy. */
async function run(...args: string[]) {
  const before = rig.moves().length;
  const file = join(rig.folder, 'judged.oql');
  writeFileSync(file, JUDGED);
  const place = ['--firmware-url', throughProxy, WITHOUT_GUARD];
  const program = launch('svcctl', ['run', file, '--mode', 'execute', ...place, ...args], {
    SVC_CONFIG_PATH: rig.config,
  });
  const { code, stdout, stderr } = await program.ended;
  const moves = rig.moves().slice(before);
  assert.equal(await rig.outputsOn(), []);
  return { code, said: stdout + stderr, moves };
}

/** Not passed, not failed: exit code 3, with teardown and safe state. */
function assertNoVerdict({ code, said, moves }: Awaited<ReturnType<typeof run>>, why: RegExp | string): void {
  assert.is(code, 3, said);
  assert.match(said, why);
  assert.match(said, '[error] Judged');
  assert.not.match(said, /\[(passed|failed)\] CHECK/);
  assert.ok(moves.includes('coil 1 on'), 'the teardown ran');
  assert.is(moves.at(-1), 'coil 0 off', 'the first valve was closed at the end');
}

const DEAD: Readonly<Record<string, Record<string, unknown>>> = {
  'is not on its bus': { unplugged: true },
  'does not answer': { nack: true },
  'never ends a conversion': { slow: true },
};
for (const [how, knob] of Object.entries(DEAD))
  test(`LANG-035 a converter that ${how} is an error, not a value, and the rig is made safe`, async () => {
    // It falls silent after the preflight has found it well.
    const opened = rig.untilOutputs((on) => on.includes('coil 0')).then(() => rig.knobs('ads1115', knob));
    const slow = JUDGED.replace('  CHECK', '  WAIT 500ms\n  CHECK');
    const before = rig.moves().length;
    const { code, stdout, stderr } = await rig.execute(slow).ended;
    await opened;
    await rig.knobs('ads1115', { unplugged: false, nack: false, slow: false });
    assertNoVerdict({ code, said: stdout + stderr, moves: rig.moves().slice(before) }, /SCN402|SCN407/);
    assert.equal(await rig.outputsOn(), []);
  });

test('LANG-065 a converter at the end of its range is an error through the whole chain, below its limit or not', async () => {
  await rig.knobs('ads1115', { ain0_v: 9 });
  try {
    // 3.4 V: the true 9 V lie above it, and a limit of 4.1 V could never be exceeded.
    for (const [limit, why] of [
      ['3.4 V', /saturated/],
      ['4.1 V', /SCN409.*4.1 V lies outside the 0 .. 4.096 V/s],
    ] as const) {
      const { code, stdout, stderr } = await rig.execute(JUDGED.replace('4 V', limit)).ended;
      assert.is(code, 3, stdout + stderr);
      assert.match(stdout + stderr, why);
      assert.not.match(stdout, /\[(passed|failed)\] CHECK/);
    }
  } finally {
    await rig.knobs('ads1115', { ain0_v: null });
  }
  assert.equal(await rig.outputsOn(), []);
});

const ON: Readonly<Record<string, [command: string, output: string]>> = {
  valve: ['SET valve-nc open', 'coil 0'],
  pump: ['SET pump 40 %', 'pump 102'],
};
for (const [what, [command, output]] of Object.entries(ON))
  test(`a ${what} that a power cut has switched off is noticed: what was measured since then is not a verdict`, async () => {
    const judged = JUDGED.replace('SET valve-nc open', command).replace('  CHECK', '  WAIT 20 s\n  CHECK');
    const program = rig.execute(judged);
    await program.until(`[passed] ${command}`);
    assert.ok((await rig.outputsOn()).some((on) => on.startsWith(output)));
    await rig.cutPower();
    const { code, stdout, stderr } = await program.ended;
    const said = stdout + stderr;
    assert.is(code, 3, said);
    assert.match(said, /SCN4\d\d/);
    assert.not.match(said, /\[(passed|failed)\] CHECK/);
    assert.equal(await rig.outputsOn(), []);
  });

for (const delayMs of [0, 40, 120, 400])
  test(`a power cut ${delayMs} ms into the command of a valve: the run passes only with the valve truly open`, async () => {
    const cut = rig
      .untilOutputs((on) => on.includes('coil 0'))
      .then(() => systemClock.sleep(delayMs))
      .then(() => rig.cutPower());
    const program = rig.execute(JUDGED.replace('  CHECK', '  WAIT 4 s\n  CHECK'));
    // A command whose reply the cut has swallowed is repeated, and the valve is open again: then the check counts.
    const passed = program.until('[passed] SET valve-nc open').then(
      () => systemClock.sleep(2000),
      () => {},
    );
    await Promise.all([cut, passed]);
    const isOpen = (await rig.outputsOn()).includes('coil 0');
    const { code, stdout, stderr } = await program.ended;
    assert.is(code, isOpen ? 0 : 3, stdout + stderr);
    assert.equal(await rig.outputsOn(), []);
  });

const READINGS: Readonly<Record<string, [code: string, spoil: Spoil]>> = {
  'without a value': ['SCN402', (body) => ({ ...body, value: null })],
  'of another sensor': ['SCN402', (body) => ({ ...body, sensor_id: 'ai02' })],
  'older than a second': ['SCN403', (body) => ({ ...body, age_ms: 1500 })],
  'that is marked saturated': ['SCN402', (body) => ({ ...body, saturated: true })],
  'that is marked stale': ['SCN403', (body) => ({ ...body, stale: true })],
  'without a sensor': ['SCN402', (body) => ({ ...body, sensor_id: undefined })],
  'from a simulation': ['SCN404', (body) => ({ ...body, simulated: true, source: 'plant' })],
};
for (const [how, [code, spoil]] of Object.entries(READINGS))
  test(`LANG-035 LANG-065 LANG-066 a reading ${how} is an error, not a value, and the rig is made safe`, async () => {
    proxy.spoil(/^GET .*\/sensor\//, spoil);
    assertNoVerdict(await run(), code);
  });

test('LANG-035 SVC-009 a real bridge whose sensor service is simulated gives no reading, and svcctl no verdict', async () => {
  const sensors = await launchReady('svc-sensors', ['--port', '0'], { SVC_CONFIG_PATH: '/dev/null' });
  const config = join(rig.folder, 'simulated-sensors.yaml');
  const base = JSON.stringify(sensors.url);
  writeFileSync(
    config,
    `plugins:\n  sensor-adc: { connection_type: http, connection_params: { base_url: ${base} } }\n`,
  );
  const env = {
    SVC_CONFIG_PATH: config,
    SVC_STATE_DIR: join(rig.folder, 'other'),
    SVC_HARDWARE_MODE: 'real',
  };
  const bridge = await launchReady('svc-bridge', ['--port', '0'], env);
  try {
    const reading = await fetch(`${bridge.url}/api/v1/hardware/sensor/ai01`);
    const body = (await reading.json()) as { code: string };
    assert.equal([reading.status, body.code, 'value' in body], [503, 'sensor_source_simulated', false]);
    const line = 'CHECK AI01 <= 4 V';
    const args = ['cmd', line, '--firmware-url', bridge.url, WITHOUT_GUARD];
    const { code, stdout, stderr } = await launch('svcctl', args, { SVC_CONFIG_PATH: config }).ended;
    assert.is(code, 3, stdout + stderr);
    assert.not.match(stdout, /\[(passed|failed)\] CHECK/);
  } finally {
    await end(bridge);
    await end(sensors);
  }
});

for (const [what, args] of Object.entries({
  command: ['--timeout-command', '1500ms'],
  goal: ['--timeout-goal', '3s'],
  run: ['--timeout-run', '3s'],
}))
  test(`LANG-034 a ${what} that exceeds its time is an error SCN407, with teardown and safe state`, async () => {
    proxy.spoil(/^GET .*\/sensor\//, 'silence');
    assertNoVerdict(await run(...args), 'SCN407');
  });

for (const [how, spoil, code, args] of [
  ['whose connection is lost', 'cut', 'SCN406', []],
  ['that is not answered', 'silence', 'SCN407', ['--timeout-command', '1500ms']],
] as const)
  test(`LANG-056 SVC-031 an actuation ${how} is sent once and ends the run; the module got one write`, async () => {
    proxy.spoil(/^POST .*\/valve\/[^?]*\?value=true$/, spoil);
    const written = () =>
      rig
        .trace()
        .filter(({ device, kind, bytes }) => device === 'modbus-io' && kind === 'in' && bytes === OPEN_COIL_0)
        .length;
    const before = written();
    const { code: exit, said } = await run(...args);
    assert.is(exit, 3, said);
    assert.match(said, code);
    assert.is(proxy.count(/^POST .*\/valve\/valve-(nc|1)\?value=true$/), 1, proxy.requests.join('\n'));
    assert.is(written() - before, 1);
    assert.is(proxy.count(/^GET .*\/sensor\//), 0, 'nothing is judged after it');
    assert.is(proxy.count(/^POST .*\/safe-state\?reason=run_ended$/), 1);
  });

test.run();
