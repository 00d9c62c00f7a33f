import * as assert from 'uvu/assert';
import { systemClock } from '../../lib/clock/clock.ts';
import { SteppedClock } from '../../lib/clock/stepped-clock.ts';
import { startTestBridge, type TestBridge, type TestBridgeOptions } from '../../test-kit/services/bridge.ts';
import { suite } from '../../test-kit/suite.ts';

const test = suite('bridge in mock mode');
const running: TestBridge[] = [];
let rig: TestBridge;

async function start(options: TestBridgeOptions = {}): Promise<TestBridge> {
  const bridge = await startTestBridge(options);
  running.push(bridge);
  return bridge;
}

test.before(async () => {
  rig = await start({ yaml: 'aliases: {inlet: valve-4}\nperipherals: {lamp: {type: light}}' });
});

test.after(async () => {
  await Promise.all(running.map((bridge) => bridge.shutDown('test_end')));
});

type Body = Record<string, unknown>;
const steps = (report: unknown) => (report as { steps: Body[] }).steps;

test('SVC-008 mock is the default and every actuator answer is marked mock and simulated', async () => {
  const health = await rig.call('GET /health');
  assert.is(health.status, 200);
  const { mode, ok, service, healthy, port } = health.body;
  assert.equal([mode, ok, service, healthy, port], ['mock', true, 'svc-bridge', true, rig.port]);
  assert.equal((await rig.call('GET /api/v1/health')).body.mode, 'mock');
  const valve = await rig.call('POST /api/v1/hardware/valve/valve-1?value=true');
  assert.equal(valve.body, {
    ok: true,
    valve_id: 'valve-1',
    value: true,
    coil: 0,
    verified: false,
    mock: true,
    simulated: true,
    bench: false,
  });
  const pump = await rig.call('POST /api/v1/hardware/pump?power_pct=20');
  assert.equal([pump.body.ok, pump.body.power_pct, pump.body.flow_lpm, pump.body.mock], [true, 20, 2, true]);
  const lung = await rig.call('POST /api/v1/hardware/lung');
  const { steps: count, speed, cycles, pause, status, mock } = lung.body;
  assert.equal([count, speed, cycles, pause, status, mock], [500, 10_000_000, 5, 0.5, 'started', true]);
  assert.is((await rig.call('POST /api/v1/hardware/lung')).status, 409, 'a start while moving');
  assert.equal((await rig.call('POST /api/v1/hardware/lung/stop')).body.status, 'stopped');
  assert.equal((await rig.call('POST /api/v1/hardware/lung/disable')).body.status, 'de-energized');
  await rig.call('POST /api/v1/hardware/safe-state?reason=preparation');
});

test('SVC-009 mock readings come from the plant and say so; aliases and numbers name the same inputs', async () => {
  // A plant of its own: what the pump blew up in another test takes its time to leak away.
  const { call } = await start();
  const { status, body } = await call('GET /api/v1/hardware/sensor/NC_Sensor');
  assert.is(status, 200);
  assert.equal(
    [body.sensor_id, body.unit, body.ok, body.simulated, body.source, body.physical_input],
    ['ai01', 'V', true, true, 'plant', 'ADS1115.AIN0'],
  );
  assert.ok(Math.abs(Number(body.value) - 0.635) < 0.05, `rest voltage, got ${body.value}`);
  assert.is((await call('GET /api/v1/hardware/sensor/3')).body.sensor_id, 'ai04');
  const unknown = await call('GET /api/v1/hardware/sensor/ai09');
  assert.equal([unknown.status, unknown.body.code], [422, 'unknown_sensor']);
});

test('valves are found by id and alias, unknown ones and unreadable values are 422', async () => {
  assert.is((await rig.call('POST /api/v1/hardware/valve/VALVE_SC?value=true')).body.coil, 1);
  assert.is((await rig.call('POST /api/v1/hardware/valve/inlet?value=true')).body.coil, 3);
  const valves = (await rig.call('GET /api/v1/hardware/valves')).body.valves as Record<string, boolean>;
  assert.equal(
    Object.keys(valves).filter((id) => valves[id]),
    ['valve-2', 'valve-4'],
  );
  assert.is((await rig.call('POST /api/v1/hardware/valve/valve-9?value=true')).body.code, 'unknown_valve');
  for (const value of ['open', '1', 'TRUE', '']) {
    assert.is((await rig.call(`POST /api/v1/hardware/valve/valve-1?value=${value}`)).status, 422, value);
  }
  assert.is((await rig.call('POST /api/v1/hardware/valve/valve-1?value=true&force=1')).status, 422);
  assert.is((await rig.call('POST /api/v1/hardware/valve/valve-1')).status, 422);
  await rig.call('POST /api/v1/hardware/safe-state?reason=preparation');
});

test('SVC-029 power or flow outside 0..100 % is 422, never clamped', async () => {
  for (const query of [
    'power_pct=100.001',
    'power_pct=-0.001',
    'flow_lpm=10.01',
    'flow_lpm=-1',
    'power_pct=1e400',
  ]) {
    const { status, body } = await rig.call(`POST /api/v1/hardware/pump?${query}`);
    assert.equal([status, body.code], [422, 'invalid_parameter'], query);
  }
  assert.is((await rig.call('POST /api/v1/hardware/pump')).status, 422);
  assert.is((await rig.call('POST /api/v1/hardware/pump?power_pct=1&flow_lpm=1')).status, 422);
  const full = await rig.call('POST /api/v1/hardware/pump?flow_lpm=10');
  assert.equal([full.body.power_pct, (full.body.data as Body).duty], [100, 255]);
  const none = await rig.call('POST /api/v1/hardware/pump?power_pct=0');
  assert.equal([none.body.power_pct, (none.body.data as Body).enabled], [0, false]);
});

test('SVC-042 a batch is 200 with all good ones, and 422 names an unknown one', async () => {
  const { status, body } = await rig.call('GET /api/v1/hardware/sensors/batch?sensor_ids=ai01,wc-sensor');
  assert.equal([status, body.complete, body.degraded], [200, true, false]);
  assert.is((body.sensors as Record<string, Body>)['wc-sensor']?.sensor_id, 'ai03');
  assert.is(
    (await rig.call('GET /api/v1/hardware/sensors/batch?sensor_ids=ai01,none')).body.code,
    'unknown_sensor',
  );
  const many = Array.from({ length: 17 }, () => 'ai01').join(',');
  assert.is((await rig.call(`GET /api/v1/hardware/sensors/batch?sensor_ids=${many}`)).status, 422);
});

test('SVC-033 hardware health in mock: each short key is mock, ok is false', async () => {
  const { status, body } = await rig.call('GET /api/v1/hardware/health');
  assert.is(status, 200);
  assert.equal(
    [body.mode, body.ok, body.sensor_adc, body.motor, body.lung, body.modbus, body.simulated],
    ['mock', false, 'mock', 'mock', 'mock', 'mock', true],
  );
  const components = body.components as Record<string, Body>;
  assert.equal(Object.keys(components), ['sensor-adc', 'pump-motor', 'lung-motor', 'modbus-io']);
  assert.is(components['modbus-io']?.status, 'mock');
});

test('SVC-035 identify fills its lists when the scan is skipped, with the reason', async () => {
  for (const scan of ['never', 'auto']) {
    const { status, body } = await rig.call(`GET /api/v1/hardware/identify?scan=${scan}`);
    const diagnostics = body.diagnostics as Body;
    assert.is(status, 200);
    assert.is(diagnostics.scan_performed, false);
    assert.ok(String(diagnostics.scan_skip_reason).length > 0);
    for (const list of ['usb_devices', 'serial_ports', 'i2c_buses'])
      assert.ok(Array.isArray(diagnostics[list]), list);
    assert.equal([body.detected, body.total], [0, 4]);
  }
  assert.is((await rig.call('GET /api/v1/hardware/identify?scan=maybe')).status, 422);
});

test('state and peripherals show what drivers own; only the others can be written', async () => {
  const state = (await rig.call('GET /api/v1/state')).body as Record<string, Body>;
  assert.equal(
    [state.valve_1?.id, state.valve_1?.currentValue, state.valve_1?.mode],
    ['valve-1', false, 'mock'],
  );
  const list = (await rig.call('GET /api/v1/peripherals')).body;
  assert.is(list.count, (list.peripherals as unknown[]).length);
  assert.is((await rig.call('GET /api/v1/peripherals/valve_nc')).body.id, 'valve-1');
  const body = { currentValue: 1, targetValue: 1 };
  assert.is((await rig.call('PUT /api/v1/peripherals/valve-1', { body })).body.code, 'driver_owned');
  assert.is((await rig.call('PUT /api/v1/peripherals/nothing', { body })).status, 404);
  assert.is((await rig.call('PUT /api/v1/peripherals/lamp', { body })).status, 200);
  assert.is(((await rig.call('GET /api/v1/state')).body as Record<string, Body>).lamp?.currentValue, 1);
});

test('SVC-039 safe state in mock: the steps in order, simulated, never safe', async () => {
  await rig.call('POST /api/v1/hardware/valve/valve-5?value=true');
  await rig.call('POST /api/v1/hardware/pump?power_pct=50');
  const { status, body } = await rig.call('POST /api/v1/hardware/safe-state?reason=x&reason=y', {
    body: { any: 'thing' },
  });
  assert.equal(
    [status, body.ok, body.outcome, body.mock, body.reason],
    [200, true, 'simulated', true, 'operator'],
  );
  await rig.call('POST /api/v1/hardware/operator-stop/clear');
  assert.equal(
    steps(body).map((step) => step.name),
    ['lung_halt', 'pump_zero', 'lung_deenergize', 'valves_off', 'valves_verify'],
  );
  assert.ok(steps(body).every((step) => step.status === 'simulated' && step.verified === false));
  const state = (await rig.call('GET /api/v1/state')).body as Record<string, Body>;
  assert.equal([state.valve_5?.currentValue, state.pump_main?.currentValue], [false, 0]);
});

test('SVC-036 a lease blocks others with 409 and owner, and its holder acts', async () => {
  const taken = await rig.call('POST /api/v1/lease', { body: { owner: 'run-17', ttl_ms: 10_000 } });
  assert.is(taken.status, 201);
  assert.match(String(taken.body.lease_id), /^[0-9a-f]{32}$/);
  const lease = String(taken.body.lease_id);
  const second = await rig.call('POST /api/v1/lease', { body: { owner: 'other' } });
  assert.equal([second.status, second.body.code, second.body.owner], [409, 'lease_held', 'run-17']);
  assert.ok(Number(second.body.expires_in_ms) > 0);
  const refused = await rig.call('POST /api/v1/hardware/valve/valve-1?value=true');
  assert.equal([refused.status, refused.body.code], [409, 'lease_held']);
  assert.is(
    (await rig.call('POST /api/v1/hardware/valve/valve-1?value=true', { lease: 'wrong' })).status,
    409,
  );
  assert.is((await rig.call('POST /api/v1/hardware/valve/valve-1?value=true', { lease })).status, 200);
  assert.is((await rig.call('GET /api/v1/hardware/sensor/ai01')).status, 200, 'reads need no lease');
  assert.equal((await rig.call('GET /api/v1/lease')).body.owner, 'run-17');
  assert.is((await rig.call(`POST /api/v1/lease/${lease}/renew`)).body.ttl_ms, 10_000);
  const ended = await rig.call(`DELETE /api/v1/lease/${lease}`);
  assert.is((ended.body.safe_state as Body).outcome, 'simulated');
  assert.is((await rig.call(`DELETE /api/v1/lease/${lease}`)).status, 410);
  assert.is((await rig.call(`POST /api/v1/lease/${lease}/renew`)).status, 410);
  const lost = await rig.call('POST /api/v1/hardware/valve/valve-1?value=true', { lease });
  assert.equal([lost.status, lost.body.code], [409, 'lease_lost']);
  const valves = (await rig.call('GET /api/v1/hardware/valves')).body.valves as Record<string, boolean>;
  assert.is(valves['valve-1'], false);
});

test('lease times outside 1000..60000 ms and unknown members are 422', async () => {
  for (const body of [
    { owner: 'a', ttl_ms: 999 },
    { owner: 'a', ttl_ms: 60_001 },
    { owner: '' },
    {},
    { owner: 'a', x: 1 },
  ]) {
    assert.is((await rig.call('POST /api/v1/lease', { body })).status, 422, JSON.stringify(body));
  }
});

test('LANG-057 the contract of a run: lease, actuation under it, renewal, expiry into the safe state', async () => {
  const clock = new SteppedClock();
  const bridge = await start({ clock });
  const lease = String(
    (await bridge.call('POST /api/v1/lease', { body: { owner: 'run', ttl_ms: 5000 } })).body.lease_id,
  );
  await bridge.call('POST /api/v1/hardware/valve/valve-1?value=true', { lease });
  await clock.advance(4000);
  assert.is((await bridge.call(`POST /api/v1/lease/${lease}/renew`)).status, 200);
  await clock.advance(4999);
  assert.is(bridge.bridge.safeState.last, undefined);
  await clock.advance(1);
  assert.is(bridge.bridge.safeState.last?.reason, 'lease_expired');
  const state = (await bridge.call('GET /api/v1/state')).body as Record<string, Body>;
  assert.is(state.valve_1?.currentValue, false);
  assert.is((await bridge.call('POST /api/v1/hardware/pump?power_pct=5', { lease })).body.code, 'lease_lost');
});

test('SVC-037 an unleased actuation ends with the manual hold; a new command renews it', async () => {
  const clock = new SteppedClock();
  const bridge = await start({ clock, env: { SVC_MANUAL_HOLD_S: '5' } });
  await bridge.call('POST /api/v1/hardware/valve/valve-1?value=true');
  await clock.advance(4000);
  await bridge.call('POST /api/v1/hardware/pump?power_pct=5');
  await clock.advance(4999);
  assert.is(bridge.bridge.safeState.last, undefined);
  await clock.advance(1);
  assert.is(bridge.bridge.safeState.last?.reason, 'manual_hold_ended');
});

test('a lease given back with safe=false leaves the actuators under the manual hold', async () => {
  const clock = new SteppedClock();
  const bridge = await start({ clock, env: { SVC_MANUAL_HOLD_S: '5' } });
  const lease = String((await bridge.call('POST /api/v1/lease', { body: { owner: 'run' } })).body.lease_id);
  await bridge.call('POST /api/v1/hardware/valve/valve-1?value=true', { lease });
  assert.is((await bridge.call(`DELETE /api/v1/lease/${lease}?safe=false`)).body.safe_state, null);
  assert.is(bridge.bridge.safeState.last, undefined);
  await clock.advance(5000);
  assert.is(bridge.bridge.safeState.last?.reason, 'manual_hold_ended');
});

test('SVC-038 safe-state commands pass without lease and under under-voltage, others are refused', async () => {
  const bridge = await start({ readThrottled: async () => 0x50005 });
  await bridge.call('POST /api/v1/lease', { body: { owner: 'run' } });
  for (const path of [
    'valve/valve-1?value=false',
    'pump?power_pct=0',
    'pump?flow_lpm=0',
    'lung/stop',
    'lung/disable',
    'safe-state',
  ]) {
    assert.is((await bridge.call(`POST /api/v1/hardware/${path}`)).status, 200, path);
  }
});

test('SVC-043 under-voltage now blocks actuation with 503, history only does not', async () => {
  const low = await start({ readThrottled: async () => 0x1 });
  const refused = await low.call('POST /api/v1/hardware/valve/valve-1?value=true');
  assert.equal([refused.status, refused.body.code], [503, 'undervoltage']);
  const clock = new SteppedClock();
  let bits = 0;
  const sagging = await start({ clock, readThrottled: async () => bits });
  const open = async () => (await sagging.call('POST /api/v1/hardware/valve/valve-1?value=true')).status;
  assert.is(await open(), 200);
  bits = 0x1;
  await clock.advance(2000);
  assert.is(await open(), 503, 'the supply is read again after 2 s');
  bits = 0;
  await clock.advance(2000);
  assert.is(await open(), 200, 'and so is its recovery');
  const history = await start({ readThrottled: async () => 0x10000 });
  assert.is((await history.call('POST /api/v1/hardware/valve/valve-1?value=true')).status, 200);
  const power = (await history.call('GET /api/v1/hardware/health')).body.power as Body;
  assert.equal([power.undervoltage_now, power.undervoltage_since_boot], [false, true]);
});

test('SVC_REQUIRE_LEASE=1 refuses unleased actuation and says what would allow it', async () => {
  const bridge = await start({ env: { SVC_REQUIRE_LEASE: '1' } });
  const { status, body } = await bridge.call('POST /api/v1/hardware/valve/valve-1?value=true');
  assert.equal([status, body.code], [409, 'lease_required']);
  assert.match(String(body.detail), 'POST /api/v1/lease');
  assert.is((await bridge.call('POST /api/v1/hardware/valve/valve-1?value=false')).status, 200);
});

test('SVC-003 with a token only health and the local safe state need none', async () => {
  const bridge = await start({ env: { SVC_API_TOKEN: 'a-token-of-16-or-more' } });
  assert.is((await bridge.call('GET /health')).status, 200);
  assert.is((await bridge.call('POST /api/v1/hardware/safe-state?reason=preparation')).status, 200);
  assert.is((await bridge.call('GET /api/v1/state')).status, 401);
  assert.is((await bridge.call('POST /api/v1/hardware/valve/valve-1?value=true')).status, 401);
});

test('SVC-007 metrics and the API description are there', async () => {
  const metrics = String((await rig.call('GET /metrics')).body.text);
  assert.match(metrics, 'svc_hardware_mode{mode="mock"} 1');
  assert.match(metrics, 'svc_lease_active 0');
  assert.match(metrics, /svc_safe_state_total\{outcome="simulated"\} \d/);
  const { paths } = (await rig.call('GET /openapi.json')).body as { paths: Body };
  assert.ok('/api/v1/hardware/valve/{id}' in paths);
});

test('after the shutdown began nothing moves any more', async () => {
  const bridge = await startTestBridge();
  const ended = bridge.shutDown('SIGTERM');
  try {
    bridge.bridge.admit(undefined);
    assert.unreachable();
  } catch (error) {
    assert.is((error as { code: string }).code, 'safe_state_in_progress');
  }
  assert.is((await ended).outcome, 'simulated');
  await systemClock.sleep(10);
  assert.is(await fetch(bridge.url).catch(() => 'closed'), 'closed');
});

test.run();
