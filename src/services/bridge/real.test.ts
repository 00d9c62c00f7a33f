import * as assert from 'uvu/assert';
import { systemClock } from '../../lib/clock/clock.ts';
import { acquireLock } from '../../lib/lock/lock.ts';
import { serialLockKey } from '../../lib/lock/lock-key.ts';
import { startTestBridge, type TestBridge } from '../../test-kit/services/bridge.ts';
import { type BenchRig, openBenchRig } from '../../test-kit/services/rig.ts';
import { suite } from '../../test-kit/suite.ts';

const test = suite('bridge in real mode on the bench');
type Body = Record<string, unknown>;
let rig: BenchRig;
let bridge: TestBridge;
/** A safe state that does not stay. */
const PREPARE = 'POST /api/v1/hardware/safe-state?reason=preparation';

test.before(async () => {
  rig = await openBenchRig();
  bridge = await rig.start();
});

test.after(() => rig.close());

test.before.each(async () => {
  await rig.bench.reset();
  await until(() => bridge.bridge.rig.components.every((one) => one.known().status === 'ok'));
  // The reset, and devices that come back from it, may set off safe states of their own.
  for (;;) {
    await until(() => !bridge.bridge.safeState.running);
    const { body } = await bridge.call(PREPARE);
    if (body.outcome === 'safe' && body.reason === 'preparation') break;
  }
  rig.moves();
});

async function until(condition: () => boolean, limitMs = 8000): Promise<void> {
  const endAt = systemClock.monotonic() + limitMs;
  while (!condition()) {
    assert.ok(systemClock.monotonic() < endAt, 'the condition was never met');
    await systemClock.sleep(10);
  }
}

const open = (id: string, lease?: string) =>
  bridge.call(`POST /api/v1/hardware/valve/${id}?value=true`, lease === undefined ? {} : { lease });
/** The watch may find what is on before the lease is asked for: then it waits for the safe state. */
async function takeSoon() {
  for (;;) {
    const answer = await bridge.call('POST /api/v1/lease', { body: { owner: 'run' } });
    if (answer.body.code !== 'safe_state_in_progress') return answer;
    await until(() => !bridge.bridge.safeState.running);
  }
}
const stepsOf = (body: Body) =>
  (body.steps as { name: string; status: string; verified: boolean }[]).map(
    (step) => `${step.name} ${step.status}${step.verified ? ' verified' : ''}`,
  );

test('SVC-040 the start in real mode ran the safe state before anything else', async () => {
  assert.match(bridge.logged.join('\n'), 'safe state: safe (start)');
});

test('SVC-032 a valve is done when echo and read-back agree, and the twin shows it', async () => {
  const { status, body } = await open('valve-1');
  assert.equal(
    [status, body],
    [
      200,
      {
        ok: true,
        valve_id: 'valve-1',
        value: true,
        coil: 0,
        verified: true,
        mock: false,
        simulated: false,
        bench: true,
      },
    ],
  );
  assert.equal(rig.moves(), ['coil 0 on']);
  assert.is(rig.bench.outputs.coils[0], true);
  const valves = (await bridge.call('GET /api/v1/hardware/valves')).body;
  assert.equal(
    [(valves.valves as Body)['valve-1'], (valves.valves as Body)['valve-2'], valves.bench],
    [true, false, true],
  );
  assert.is((await bridge.call('POST /api/v1/hardware/valve/valve_nc?value=false')).status, 200);
  assert.equal(rig.moves(), ['coil 0 off']);
});

test('SVC-032 a stuck output that echoes is 503 valve_unverified, never 200', async () => {
  await rig.bench.setKnobs('modbus-io', { coil_stuck: [2] });
  const { status, body } = await open('valve-3');
  assert.equal([status, body.code, body.ok, body.device], [503, 'valve_unverified', false, 'modbus-io']);
});

test('SVC-031 a valve command without answer is 504, and the safe state closes whatever it did', async () => {
  await rig.bench.setKnobs('modbus-io', { silent: true });
  const { status, body } = await open('valve-2');
  assert.equal([status, body.code], [504, 'device_timeout']);
  await rig.bench.setKnobs('modbus-io', { silent: false });
  const safe = await bridge.call(PREPARE);
  assert.is(safe.status, 200);
  assert.not.ok(rig.bench.outputs.coils.includes(true));
});

/** Of a component, as the bridge's health reports it. */
async function health(id: string): Promise<Body> {
  const { body } = await bridge.call('GET /api/v1/hardware/health');
  return (body.components as Record<string, Body>)[id] ?? {};
}

test('SVC-033 a converter that acknowledges and does not convert is not well', async () => {
  assert.is((await health('sensor-adc')).status, 'ok');
  await rig.bench.setKnobs('ads1115', { slow: true });
  assert.equal(
    [(await health('sensor-adc')).status, (await health('sensor-adc')).code],
    ['timeout', 'device_timeout'],
  );
  await rig.bench.setKnobs('ads1115', { slow: false, foreign_config: true });
  assert.is((await health('sensor-adc')).code, 'adc_foreign_config');
  await rig.bench.setKnobs('ads1115', { foreign_config: false });
  assert.is((await health('sensor-adc')).status, 'ok');
});

test('an output mode that is not normal refuses opening with its remedy', async () => {
  await rig.bench.setKnobs('modbus-io', { modes: [0, 1, 0, 0, 0, 0, 0, 0] });
  await rig.bench.setKnobs('modbus-io', { unplugged: true });
  await until(() => bridge.bridge.rig.components.some((one) => one.known().status !== 'ok'));
  await rig.bench.setKnobs('modbus-io', { unplugged: false });
  await until(() => bridge.bridge.rig.components.every((one) => one.known().status === 'ok'));
  const valves = await health('modbus-io');
  assert.equal(
    [valves.status, valves.code],
    ['error', 'valve_mode_not_normal'],
    'also before anybody opens one',
  );
  const { status, body } = await open('valve-1');
  assert.equal([status, body.code], [503, 'valve_mode_not_normal']);
  assert.match(String(body.detail), '1000-1007');
  assert.is((await bridge.call(PREPARE)).status, 200);
});

test('valves open at least 100 ms apart, closing is immediate', async () => {
  await Promise.all(['valve-1', 'valve-2', 'valve-3'].map((id) => open(id)));
  const at = rig.bench.trace('modbus-io').filter((entry) => entry.kind === 'coil' && entry.on);
  const times = at.slice(-3).map((entry) => entry.at_ms);
  for (const i of [1, 2]) assert.ok(times[i]! - times[i - 1]! >= 100, `opened at ${times.join(', ')}`);
});

test('SVC-029 SVC-009 the pump runs at what was asked, read back and marked as bench', async () => {
  const { status, body } = await bridge.call('POST /api/v1/hardware/pump?power_pct=20');
  assert.equal([status, body.power_pct, body.flow_lpm, body.mock, body.bench], [200, 20, 2, false, true]);
  const data = body.data as Body;
  assert.equal([data.duty, data.enabled, data.verified, data.freq_hz], [51, true, true, 1019]);
  assert.equal(rig.bench.outputs.pump.duty, 51);
  assert.is((await bridge.call('POST /api/v1/hardware/pump?power_pct=101')).status, 422);
  assert.is(rig.bench.outputs.pump.duty, 51, 'a refused power moves nothing');
  await bridge.call('POST /api/v1/hardware/pump?power_pct=0');
  assert.equal([rig.bench.outputs.pump.duty, rig.bench.outputs.pump.enabled], [0, false]);
});

test('SVC-009 a reading is the raw voltage of the converter, marked as bench', async () => {
  await rig.bench.setKnobs('ads1115', { ain0_v: 0.635 });
  const { status, body } = await bridge.call('GET /api/v1/hardware/sensor/nc-sensor');
  assert.is(status, 200);
  assert.equal(
    [body.sensor_id, body.value, body.raw, body.unit, body.simulated, body.bench, body.physical_input],
    ['ai01', 0.635, 5080, 'V', false, true, 'ADS1115.AIN0'],
  );
  assert.ok(Number(body.age_ms) < 1000);
});

test('SVC-042 a batch without any reading is 503 and carries no value', async () => {
  await rig.bench.setKnobs('ads1115', { nack: true });
  const { status, body } = await bridge.call('GET /api/v1/hardware/sensors/batch?sensor_ids=ai01,ai02');
  assert.equal([status, body.ok, body.complete], [503, false, false]);
  for (const item of Object.values(body.sensors as Record<string, Body>)) {
    assert.equal([item.value, item.ok, item.code], [null, false, 'device_unavailable']);
  }
});

test('SVC-039 SVC-038 the safe state turns off pump and valves in order, without the lease of the holder', async () => {
  const lease = String((await bridge.call('POST /api/v1/lease', { body: { owner: 'run' } })).body.lease_id);
  await open('valve-1', lease);
  await open('valve-8', lease);
  await bridge.call('POST /api/v1/hardware/pump?power_pct=50', { lease });
  rig.moves();
  const { status, body } = await bridge.call(PREPARE);
  assert.equal([status, body.outcome, body.mock, body.bench], [200, 'safe', false, true]);
  assert.equal(stepsOf(body), [
    'lung_halt not_configured',
    'pump_zero done verified',
    'lung_deenergize not_configured',
    'valves_off done verified',
    'valves_verify done verified',
  ]);
  const moves = rig.moves();
  assert.is(moves[0], 'duty 0 on');
  // The pump is disabled while the valves close already.
  assert.equal(moves.slice(1).sort(), ['coil 0 off', 'coil 7 off', 'duty 0 off']);
  assert.is((await bridge.call('GET /api/v1/lease')).body.held, false, 'the lease is revoked');
  assert.is((await open('valve-1', lease)).body.code, 'lease_lost');
});

test('SVC-036 a lease that is not renewed ends in the safe state on the trace of the twins', async () => {
  const taken = await bridge.call('POST /api/v1/lease', { body: { owner: 'run', ttl_ms: 1000 } });
  const lease = String(taken.body.lease_id);
  assert.is((await open('valve-2')).body.code, 'lease_held');
  await open('valve-1', lease);
  rig.moves();
  await until(() => rig.bench.outputs.coils[0] === false);
  assert.equal(rig.moves(), ['coil 0 off']);
  await until(() => !bridge.bridge.safeState.running);
  assert.equal(
    [bridge.bridge.safeState.last?.reason, bridge.bridge.safeState.last?.outcome],
    ['lease_expired', 'safe'],
  );
});

const ON: readonly (readonly [command: string, shown: string])[] = [
  ['valve/valve-3?value=true', 'valve-3 reads closed, but was not commanded to close'],
  ['pump?power_pct=40', 'pump-main: read-back shows it stopped, but no stop was commanded'],
];
for (const [command, shown] of ON)
  test(`SVC-036 what a power cut has switched off ends the lease, whose holder is informed: ${command}`, async () => {
    const taken = await bridge.call('POST /api/v1/lease', { body: { owner: 'run', ttl_ms: 60_000 } });
    const lease = String(taken.body.lease_id);
    assert.is((await bridge.call(`POST /api/v1/hardware/${command}`, { lease })).status, 200);
    await rig.bench.reset();
    await until(() => bridge.bridge.safeState.last?.reason === 'actuator_lost');
    await until(() => !bridge.bridge.safeState.running);
    const { status, body } = await bridge.call(`POST /api/v1/lease/${lease}/renew`);
    assert.is(status, 410);
    const why = `the lease has ended: the safe state ran (actuator_lost: ${shown}); take a new one`;
    assert.is(body.detail, why);
  });

for (const fault of [{ silent: true }, { deaf: true }, { unplugged: true }])
  test(`DEV-056 a valve board that falls away while a valve is open: ${Object.keys(fault)}`, async () => {
    const taken = await bridge.call('POST /api/v1/lease', { body: { owner: 'run', ttl_ms: 60_000 } });
    const lease = String(taken.body.lease_id);
    await open('valve-2', lease);
    await bridge.call('POST /api/v1/hardware/pump?power_pct=40', { lease });
    rig.moves();
    await rig.bench.setKnobs('modbus-io', fault);
    await until(() => bridge.bridge.safeState.last?.reason === 'actuator_lost');
    assert.equal([rig.bench.outputs.pump.enabled, bridge.bridge.safeState.last?.outcome], [false, 'partial']);
    const { body } = await bridge.call(`POST /api/v1/lease/${lease}/renew`);
    assert.match(
      String(body.detail),
      /actuator_lost: valve-2: not read back for \d+\.\d+ s while on: modbus-io/,
    );
    const states = (await bridge.call('GET /api/v1/state')).body as Record<string, Body>;
    assert.equal([states.valve_2?.currentValue, states.valve_2?.status], [null, 'error']);
    await rig.bench.setKnobs('modbus-io', { silent: false, deaf: false, unplugged: false });
    await until(() => bridge.bridge.safeState.notSafe === null);
    assert.is(rig.bench.outputs.coils.includes(true), false);
  });

test('DEV-056 single lost, late and spoilt replies end nothing', async () => {
  const taken = await bridge.call('POST /api/v1/lease', { body: { owner: 'run', ttl_ms: 60_000 } });
  await open('valve-2', String(taken.body.lease_id));
  const { last } = bridge.bridge.safeState;
  for (const fault of [
    { silent: true },
    { late_ms: 200 },
    { bad_crc: true },
    { deaf: true },
    { late_ms: 600 },
  ]) {
    rig.bench.twins['modbus-io'].slave.faultOnce(fault);
    await systemClock.sleep(900);
  }
  assert.is(bridge.bridge.safeState.last, last, bridge.logged.slice(-3).join('\n'));
  assert.is((await bridge.call('GET /api/v1/lease')).body.held, true);
});

test('SVC-051 a valve that opens without a command ends the lease, and its holder is told which', async () => {
  const taken = await bridge.call('POST /api/v1/lease', { body: { owner: 'run', ttl_ms: 60_000 } });
  const lease = String(taken.body.lease_id);
  await open('valve-1', lease);
  rig.bench.twins['modbus-io'].force(5, true);
  await until(() => bridge.bridge.safeState.last?.reason === 'actuator_unexpected');
  await until(() => !bridge.bridge.safeState.running);
  assert.equal([rig.bench.outputs.coils.includes(true), bridge.bridge.safeState.last?.ok], [false, true]);
  const { status, body } = await bridge.call(`POST /api/v1/lease/${lease}/renew`);
  const shown = 'valve-6 reads open, but was not commanded to open';
  assert.equal(
    [status, body.detail],
    [410, `the lease has ended: the safe state ran (actuator_unexpected: ${shown}); take a new one`],
  );
});

test('SVC-051 what is on while no one uses the rig is found and switched off: a valve, and the pump', async () => {
  for (const [what, begin] of [
    ['valve-8 reads open', () => rig.bench.twins['modbus-io'].force(7, true)],
    ['pump-main: reads duty 255', () => rig.bench.twins.pump.force(255)],
  ] as const) {
    await bridge.call(PREPARE);
    begin();
    await until(() => bridge.bridge.safeState.last?.reason === 'actuator_unexpected');
    await until(() => !bridge.bridge.safeState.running);
    assert.match(bridge.logged.join('\n'), `actuator unexpected: ${what}`);
    const { coils, pump } = rig.bench.outputs;
    assert.equal([coils.includes(true), pump.enabled], [false, false], what);
  }
});

test('SVC-051 a lease is granted only when every output reads off: what is on is made safe first', async () => {
  const take = (owner: string) => bridge.call('POST /api/v1/lease', { body: { owner } });
  await open('valve-1');
  rig.moves();
  // Two at once: one of them gets it, behind the safe state.
  const answers = await Promise.all([take('first'), take('second')]);
  assert.equal(answers.map(({ status }) => status).sort(), [201, 409]);
  assert.equal(rig.moves(), ['coil 0 off']);
  assert.is(bridge.bridge.safeState.last?.reason, 'lease_requested');
  await bridge.call(PREPARE);
  // Off as commanded, and read back as on before the watch has seen it.
  rig.bench.twins['modbus-io'].force(3, true);
  const { status } = await takeSoon();
  assert.equal([status, rig.bench.outputs.coils.includes(true)], [201, false]);
});

test('SVC-051 no lease while an output cannot be switched off, or not be read back', async () => {
  rig.bench.twins['modbus-io'].force(2, true);
  await rig.bench.setKnobs('modbus-io', { coil_stuck: [2] });
  const stuck = await takeSoon();
  assert.equal([stuck.status, stuck.body.code, stuck.body.rule], [503, 'not_safe', 'safe_state']);
  assert.match(String(stuck.body.detail), 'valve-3');
  await rig.bench.setKnobs('modbus-io', { coil_stuck: [], silent: true });
  const silent = await takeSoon();
  assert.equal([silent.status, silent.body.code], [503, 'not_safe']);
  // A valve that is stuck open is no reason to leave its board out.
  const leaveOut = 'can do without modbus-io, disconnect it and set enabled: false for it in svc.yaml';
  assert.equal(
    [stuck, silent].map(({ body }) => String(body.remedy).includes(leaveOut)),
    [false, true],
  );
  assert.is((await bridge.call('GET /api/v1/lease')).body.held, false);
  await rig.bench.setKnobs('modbus-io', { silent: false });
  await until(() => bridge.bridge.safeState.notSafe === null);
  assert.is((await takeSoon()).status, 201);
});

test('a power that is too small for the pump is a stop, and a pump that stands then is no loss', async () => {
  const taken = await bridge.call('POST /api/v1/lease', { body: { owner: 'run', ttl_ms: 60_000 } });
  const lease = String(taken.body.lease_id);
  const { status } = await bridge.call('POST /api/v1/hardware/pump?power_pct=0.1', { lease });
  await systemClock.sleep(600);
  assert.equal([status, (await bridge.call('GET /api/v1/lease')).body.held], [200, true]);
});

test('what is commanded and stays as it was is no loss, however often it is read', async () => {
  const taken = await bridge.call('POST /api/v1/lease', { body: { owner: 'run', ttl_ms: 60_000 } });
  const lease = String(taken.body.lease_id);
  await open('valve-1', lease);
  await bridge.call('POST /api/v1/hardware/pump?power_pct=40', { lease });
  const { last } = bridge.bridge.safeState;
  for (let n = 0; n < 5; n++) {
    const path = n % 2 === 0 ? 'valve/valve-2?value=true' : 'valve/valve-2?value=false';
    await Promise.all([
      bridge.call(`POST /api/v1/hardware/${path}`, { lease }),
      bridge.call('GET /api/v1/hardware/valves'),
      bridge.call('GET /api/v1/state'),
    ]);
    await systemClock.sleep(130);
  }
  assert.is(bridge.bridge.safeState.last, last);
  assert.is((await bridge.call('GET /api/v1/lease')).body.held, true);
});

test('SVC-033 hardware health of a whole bench: mode real and every short key ok', async () => {
  const { status, body } = await bridge.call('GET /api/v1/hardware/health');
  assert.equal(
    [status, body.mode, body.ok, body.modbus, body.motor, body.sensor_adc, body.lung, body.bench],
    [200, 'real', true, 'ok', 'ok', 'ok', 'not_configured', true],
  );
});

test('SVC-034 a silent module is read_coils timed out, not a blocked port, and its return is noticed', async () => {
  await rig.bench.setKnobs('modbus-io', { silent: true });
  const { status, body } = await bridge.call('GET /api/v1/hardware/health');
  assert.equal([status, body.ok, body.modbus, body.motor], [200, false, 'error: read_coils timed out', 'ok']);
  const entry = (body.components as Record<string, Body>)['modbus-io'] ?? {};
  assert.equal(
    [entry.status, entry.code, entry.message],
    [
      'error',
      'modbus_no_response',
      'read_coils timed out; USB-serial adapter visible, RTU module did not answer',
    ],
  );
  const identified = (await bridge.call('GET /api/v1/hardware/identify?scan=auto')).body;
  const adapters = identified.adapters as Body[];
  assert.is(adapters.find((one) => one.id === 'modbus-io')?.status, 'adapter-only');
  const { scan_performed, scan_skip_reason } = identified.diagnostics as Body;
  assert.equal(
    [scan_performed, scan_skip_reason],
    [false, 'modbus-io is not probed while its plugin owns the port'],
  );
  await rig.bench.setKnobs('modbus-io', { silent: false });
  await until(() => bridge.bridge.rig.components.every((one) => one.known().status === 'ok'));
});

test('SVC-035 identify skips the scan when all adapters are compatible, and says so', async () => {
  const { body } = await bridge.call('GET /api/v1/hardware/identify?scan=auto');
  const diagnostics = body.diagnostics as Body;
  assert.equal([body.detected, body.total], [3, 3]);
  assert.equal(
    [diagnostics.scan_performed, diagnostics.scan_skip_reason],
    [false, 'all adapters are compatible'],
  );
});

test('SVC-039 with a silent IO module the safe state is 503 within 5 s, and made up for when it returns', async () => {
  await open('valve-4');
  await rig.bench.setKnobs('modbus-io', { silent: true });
  const { status, body } = await bridge.call(PREPARE);
  assert.equal([status, body.code, body.outcome], [503, 'safe_state_incomplete', 'partial']);
  assert.ok(Number(body.duration_ms) <= 5000);
  assert.match(
    stepsOf(body).join(', '),
    /pump_zero done verified.*valves_off (timeout|failed), valves_verify (timeout|failed)$/,
  );
  await rig.bench.setKnobs('modbus-io', { silent: false });
  await until(() => bridge.bridge.safeState.last?.outcome === 'safe');
  assert.is(bridge.bridge.safeState.last?.reason, 'device_returned');
  assert.is(rig.bench.outputs.coils[3], false);
});

test('SVC-050 a stuck valve: not_safe in health, preflight and commands until it is released and has closed by itself', async () => {
  await open('valve-3');
  await rig.bench.setKnobs('modbus-io', { coil_stuck: [2] });
  const { status, body } = await bridge.call('POST /api/v1/hardware/safe-state?reason=preparation');
  assert.equal([status, body.code, body.outcome], [503, 'safe_state_incomplete', 'partial']);
  const health = (await bridge.call('GET /health')).body;
  assert.equal([health.ok, health.status, health.healthy], [true, 'not_safe', false]);
  assert.match(String(health.not_safe), 'valve-3');
  const hardware = (await bridge.call('GET /api/v1/hardware/health')).body;
  assert.equal([hardware.ok, hardware.modbus, hardware.not_safe], [false, 'ok', health.not_safe]);
  const refused = await open('valve-1');
  assert.equal([refused.status, refused.body.code, refused.body.rule], [503, 'not_safe', 'safe_state']);
  assert.match(String(refused.body.detail), 'valve-3');
  // Another device is not concerned.
  assert.is((await bridge.call('POST /api/v1/hardware/pump?power_pct=20')).status, 200);
  await rig.bench.setKnobs('modbus-io', { coil_stuck: [] });
  await until(() => bridge.bridge.safeState.notSafe === null);
  assert.equal([rig.bench.outputs.coils[2], rig.bench.outputs.pump.duty], [false, 51]);
  assert.equal((await bridge.call('GET /health')).body.not_safe, null);
  assert.match(
    bridge.logged.join('\n'),
    'safe state repeated (preparation): safe: valves_off done, valves_verify done',
  );
  assert.is((await open('valve-1')).status, 200);
});

test('DEV-042 an adapter that was pulled is 503, and works again after it is back', async () => {
  await rig.bench.setKnobs('modbus-io', { unplugged: true });
  await until(() => bridge.bridge.rig.components.some((one) => one.known().status !== 'ok'));
  const { status, body } = await open('valve-1');
  assert.equal([status, body.code], [503, 'device_unavailable']);
  assert.is((await bridge.call('GET /health')).body.status, 'degraded');
  await rig.bench.setKnobs('modbus-io', { unplugged: false });
  await until(() => bridge.bridge.rig.components.every((one) => one.known().status === 'ok'));
  assert.is((await open('valve-1')).status, 200);
});

test('a second bridge on the same devices starts held, answers 409 with the holder and moves nothing', async () => {
  await open('valve-1');
  rig.moves();
  const second = await rig.start();
  const refused = await second.call('POST /api/v1/hardware/valve/valve-2?value=true');
  assert.equal([refused.status, refused.body.code], [409, 'held_by_other']);
  const { service, pid, port } = refused.body.holder as Body;
  assert.equal([service, pid, port], ['svc-bridge', process.pid, bridge.port]);
  assert.is((await second.call('GET /api/v1/hardware/health')).body.modbus, 'held');
  assert.is((await second.shutDown('test_end')).ok, false, 'it cannot vouch for devices it does not have');
  assert.equal(rig.moves(), []);
  assert.is(rig.bench.outputs.coils[0], true);
});

test('SVC-038 an orderly shutdown leaves the twins off and frees the locks', async () => {
  const own = await openBenchRig();
  const mine = await own.start();
  await mine.call('POST /api/v1/hardware/valve/valve-1?value=true');
  await mine.call('POST /api/v1/hardware/pump?power_pct=30');
  const key = serialLockKey(own.bench.addresses['modbus-io']);
  const report = await mine.shutDown('SIGTERM');
  assert.is(report.outcome, 'safe', JSON.stringify(report.steps));
  assert.equal([own.bench.outputs.coils.includes(true), own.bench.outputs.pump.enabled], [false, false]);
  const identity = () => ({ service: 'svc-test', pid: process.pid, port: null, since: '' });
  await (await acquireLock({ key, identity })).release();
  await own.close();
});

test('SVC-008 in mock mode the same configuration opens no device: the twins see nothing', async () => {
  const mock = await rig.start({ SVC_HARDWARE_MODE: 'mock' });
  for (const path of ['valve/valve-1?value=true', 'pump?power_pct=30', 'lung', 'safe-state']) {
    assert.is((await mock.call(`POST /api/v1/hardware/${path}`)).body.mock, true, path);
  }
  assert.is((await mock.call('GET /api/v1/hardware/sensor/ai01')).body.simulated, true);
  assert.equal(rig.moves(), []);
});

test('SVC-039 a plugin without driver stays visible as config_error, is never actuated and never called safe', async () => {
  const lung = await startTestBridge({
    env: { SVC_HARDWARE_MODE: 'real' },
    yaml: 'plugins: {lung-motor: {connection_type: modbus-tcp, connection_params: {host: 127.0.0.1}}}',
  });
  const health = (await lung.call('GET /api/v1/hardware/health')).body;
  const entry = (health.components as Record<string, Body>)['lung-motor'] ?? {};
  assert.equal([health.ok, health.lung, entry.status], [false, 'config_error', 'config_error']);
  const start = await lung.call('POST /api/v1/hardware/lung');
  assert.equal([start.status, start.body.code], [503, 'device_unavailable']);
  assert.match(String(start.body.detail), 'connection_type');
  const safe = await lung.call(PREPARE);
  assert.equal([safe.status, safe.body.outcome], [503, 'failed']);
  await lung.shutDown('test_end');
});

test.run();
