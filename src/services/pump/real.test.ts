import { request } from 'node:http';
import * as assert from 'uvu/assert';
import { systemClock } from '../../lib/clock/clock.ts';
import { acquireLock } from '../../lib/lock/lock.ts';
import { serialLockKey } from '../../lib/lock/lock-key.ts';
import {
  type Body,
  isProblem,
  onPumpBench,
  startTestPump,
  type TestPump,
  until,
} from '../../test-kit/services/pump.ts';
import { suite } from '../../test-kit/suite.ts';

const test = suite('svc-pump on the twin');

const MARKS = { mock: false, simulated: false, bench: true };
const STOPPED = { ok: true, power_pct: 0, duty: 0, enabled: false, verified: true, ...MARKS };

const health = async ({ call }: TestPump): Promise<Body> => (await call('GET /health?wait_ms=2500')).body;
const untilWell = (pump: TestPump) => until(async () => (await health(pump)).ok === true);
const untilHealth = (pump: TestPump, status: string) =>
  until(async () => (await health(pump)).status === status);

test('SVC-009 health reports port, identity, version and frequency, and that the device is a twin', () =>
  onPumpBench(async (rig) => {
    const pump = await rig.start();
    const { version, pid, started_at, ...body } = await health(pump);
    assert.equal(body, {
      ok: true,
      status: 'ok',
      message: 'DRI0050 answered',
      driver: 'DRI0050',
      identified: true,
      port: rig.port,
      freq_hz: 1019,
      mock_mode: false,
      bench: true,
      code: null,
      firmware: '0x0100',
      simulated: false,
      holder: null,
      stop_pending: null,
      service: 'svc-pump',
    });
  }));

test('SVC-031 SVC-029 a speed is written once, read back, and shown; stop and power 0 are duty 0 and disable', () =>
  onPumpBench(async (rig) => {
    const { call } = await rig.start();
    rig.writes();
    const speed = await call('POST /api/speed', { power_pct: 20, hold_s: 10 });
    assert.equal(
      [speed.status, speed.body],
      [200, { ok: true, power_pct: 20, duty: 51, enabled: true, verified: true, ...MARKS }],
    );
    assert.equal(rig.writes(), ['6=51', '8=1']);
    const { hold_remaining_s, ...status } = (await call('GET /api/status')).body;
    assert.equal(status, { ok: true, power_pct: 20, duty: 51, freq_hz: 1019, enabled: true, ...MARKS });
    assert.ok(Number(hold_remaining_s) > 0 && Number(hold_remaining_s) <= 10);
    for (const stop of [() => call('POST /api/stop'), () => call('POST /api/speed', { power_pct: 0 })]) {
      const { status, body } = await stop();
      assert.equal([status, body, rig.writes()], [200, STOPPED, ['6=0', '8=0']]);
    }
    assert.is((await call('POST /api/speed', { power_pct: 101 })).status, 422);
    assert.equal(rig.writes(), [], 'a refused power writes nothing');
    const third = (await call('POST /api/speed', { power_pct: 33 })).body;
    assert.equal([third.power_pct, third.duty], [32.94, 84], 'what eight bits show, not what was asked');
  }));

test('SVC-040 the start stops a pump that runs, before anything may move', () =>
  onPumpBench(async (rig) => {
    const first = await rig.start();
    await first.call('POST /api/speed', { power_pct: 40 });
    await rig.turn({ unplugged: true });
    assert.equal(
      await first.shutDown('SIGTERM'),
      { ok: false },
      'it cannot vouch for a pump that is not there',
    );
    await rig.turn({ unplugged: false });
    assert.is(rig.bench.outputs.pump.duty, 102);
    rig.moves();
    const second = await rig.start({}, { opened: false });
    isProblem(await second.call('POST /api/speed', { power_pct: 20 }), [
      409,
      'safe_state_in_progress',
      'the pump is being stopped (start); try again when that has ended',
    ]);
    await second.open?.();
    assert.equal(rig.moves(), ['0 on', '0 off']);
  }));

test('SVC-028 the hold ends: duty 0 and disabled on the twin', () =>
  onPumpBench(async (rig) => {
    const { call } = await rig.start();
    await call('POST /api/speed', { power_pct: 40, hold_s: 1 });
    rig.moves();
    await until(() => !rig.bench.outputs.pump.enabled);
    assert.equal(rig.moves(), ['0 on', '0 off']);
    assert.is((await call('POST /api/hold', { hold_s: 10 })).body.enabled, false);
    assert.equal(rig.moves(), []);
  }));

test('SVC-028 a stop that cannot be proven is repeated until it is, health says so and nothing runs meanwhile', () =>
  onPumpBench(async (rig) => {
    const pump = await rig.start();
    await pump.call('POST /api/speed', { power_pct: 40, hold_s: 1 });
    await rig.turn({ duty_stuck: true });
    await until(async () => (await health(pump)).stop_pending !== null);
    const body = await health(pump);
    assert.equal([body.ok, body.status, body.identified], [false, 'error', true]);
    assert.match(String(body.stop_pending), 'not proven to be stopped (');
    assert.match(String(body.stop_pending), 'duty reads 102 where 0 was set');
    assert.is(rig.bench.outputs.pump.enabled, false, 'the disable was sent all the same');
    const refused = await pump.call('POST /api/speed', { power_pct: 20 });
    assert.equal([refused.status, refused.body.code], [503, 'pump_unverified']);
    const stop = await pump.call('POST /api/stop');
    assert.equal([stop.status, stop.body.code], [503, 'pump_unverified']);
    await rig.turn({ duty_stuck: false });
    await untilWell(pump);
    assert.equal(rig.bench.outputs.pump.duty, 0);
    assert.is((await pump.call('POST /api/speed', { power_pct: 20 })).status, 200);
  }));

test('SVC-017 SVC-031 a speed that is not answered is 504 and its pump is stopped, whatever it did', () =>
  onPumpBench(async (rig) => {
    const pump = await rig.start();
    rig.moves();
    await rig.turn({ silent: true });
    const { status, body } = await pump.call('POST /api/speed', { power_pct: 40 });
    assert.equal([status, body.code, body.device], [504, 'device_timeout', 'pump-motor']);
    const sick = await health(pump);
    assert.equal([sick.ok, sick.identified, sick.freq_hz], [false, false, null]);
    await rig.turn({ silent: false });
    await untilWell(pump);
    const { duty, enabled } = rig.bench.outputs.pump;
    assert.equal([duty, enabled], [0, false]);
    assert.not.ok(rig.moves().includes('102 on'), 'it has never run');
    assert.is((await pump.call('GET /api/status')).body.hold_remaining_s, null);
  }));

test('a speed whose read-back shows another duty is 503, and the pump is stopped', () =>
  onPumpBench(async (rig) => {
    const pump = await rig.start();
    await rig.turn({ duty_stuck: true });
    const { status, body } = await pump.call('POST /api/speed', { power_pct: 40 });
    assert.equal([status, body.code], [503, 'pump_unverified']);
    assert.match(String(body.detail), 'duty reads 0 where 102 was set');
    await until(() => !rig.bench.outputs.pump.enabled);
    await untilWell(pump);
  }));

test('DEV-044 a stop overtakes the speed that is being sent and those that wait; they end as 409 superseded', () =>
  onPumpBench(async (rig) => {
    const { call } = await rig.start();
    await rig.turn({ late_ms: 200 });
    const speeds = [40, 50, 60].map((power_pct) => call('POST /api/speed', { power_pct }));
    await systemClock.sleep(100);
    const stop = await call('POST /api/stop');
    assert.equal([stop.status, stop.body], [200, STOPPED]);
    for (const { status, body } of await Promise.all(speeds)) {
      assert.equal([status, body.code], [409, 'superseded']);
      assert.match(String(body.detail), 'stopping the pump');
    }
    await rig.turn({ late_ms: 0 });
    assert.is(rig.bench.outputs.pump.enabled, false);
    const { body } = await call('GET /api/status');
    assert.equal([body.enabled, body.duty, body.hold_remaining_s], [false, 0, null]);
  }));

test('SVC-031 a caller that goes away while its speed is being sent leaves the pump stopped', () =>
  onPumpBench(async (rig) => {
    const pump = await rig.start();
    await rig.turn({ late_ms: 200 });
    const { port } = new URL(pump.url);
    const headers = { 'content-type': 'application/json' };
    const caller = request({ port, method: 'POST', path: '/api/speed', headers });
    caller.on('error', () => {});
    caller.end('{"power_pct":40,"hold_s":3600}');
    await systemClock.sleep(100);
    caller.destroy();
    await until(() => pump.lines.some((line) => line.startsWith('stopping: a power that failed')));
    await until(() => pump.lines.some((line) => line.startsWith('stopped (a power that failed)')));
    const { body } = await pump.call('GET /api/status');
    assert.equal([body.enabled, body.hold_remaining_s], [false, null]);
  }));

test('DEV-042 pulled out while it runs and plugged in again: stopped before anything else, never run again', () =>
  onPumpBench(async (rig) => {
    const pump = await rig.start();
    await pump.call('POST /api/speed', { power_pct: 40, hold_s: 600 });
    await rig.turn({ unplugged: true });
    await untilHealth(pump, 'error');
    for (const line of ['GET /api/status', 'POST /api/hold']) {
      const { status, body } = await pump.call(line, line.startsWith('POST') ? { hold_s: 600 } : undefined);
      assert.equal([status, body.code], [503, 'device_unavailable'], line);
    }
    assert.is(rig.bench.outputs.pump.duty, 102, 'its own supply goes on');
    rig.moves();
    await rig.turn({ unplugged: false });
    await until(() => pump.lines.includes('stopping: it shows duty 0 where 102 was commanded'));
    await untilWell(pump);
    const held = await pump.call('POST /api/hold', { hold_s: 600 });
    assert.equal([held.status, held.body.enabled, held.body.hold_remaining_s], [200, false, null]);
    assert.equal(rig.moves(), ['0 on', '0 off']);
    assert.is((await pump.call('POST /api/speed', { power_pct: 20 })).status, 200);
    assert.equal(rig.moves(), ['51 off', '51 on']);
  }));

test('SVC-028 a hold that ends while the pump is pulled out stops it when it is back', () =>
  onPumpBench(async (rig) => {
    const pump = await rig.start();
    await pump.call('POST /api/speed', { power_pct: 40, hold_s: 1 });
    await rig.turn({ unplugged: true });
    await until(async () => String((await health(pump)).stop_pending).includes('the hold was not renewed'));
    const refusals = new Set<unknown>();
    await until(async () => {
      const { body } = await pump.call('POST /api/speed', { power_pct: 20 });
      refusals.add(body.code);
      return body.code === 'device_unavailable';
    });
    refusals.delete('safe_state_in_progress');
    assert.equal(
      [...refusals],
      ['device_unavailable'],
      'refused while a stop is being tried, and between two tries',
    );
    await rig.turn({ unplugged: false });
    await untilWell(pump);
    assert.equal([rig.bench.outputs.pump.duty, rig.bench.outputs.pump.enabled], [0, false]);
  }));

test('SVC-028 a driver that lost its power and forgot its duty ends the command: nothing runs by itself later', () =>
  onPumpBench(async (rig) => {
    const pump = await rig.start();
    await pump.call('POST /api/speed', { power_pct: 40, hold_s: 600 });
    rig.bench.twins.pump.reset();
    const { status, body } = await pump.call('POST /api/hold', { hold_s: 600 });
    assert.equal([status, body.enabled, body.hold_remaining_s], [200, false, null]);
    assert.match(pump.lines.join('\n'), 'stopping: it shows duty 0 where 102 was commanded');
  }));

test('SVC-025 a pump that another owner has: 409 with the holder on each command, health held, and taken when free', () =>
  onPumpBench(async (rig) => {
    const since = '2025-01-15T10:00:00.000Z';
    const holder = { service: 'svc-guard', pid: 4123, port: null, since };
    const key = serialLockKey(rig.port);
    const lock = await acquireLock({ key, identity: () => holder });
    const pump = await rig.start();
    const sick = await health(pump);
    assert.equal([sick.ok, sick.status, sick.code, sick.holder], [false, 'held', 'held_by_other', holder]);
    const sentence = `${key} is held by svc-guard (pid 4123, port none, since ${since}); stop it to free the device`;
    for (const [line, body] of [
      ['POST /api/speed', { power_pct: 20 }],
      ['POST /api/stop', undefined],
      ['POST /api/hold', {}],
      ['GET /api/status', undefined],
    ] as const) {
      const answer = await pump.call(line, body);
      isProblem(answer, [409, 'held_by_other', sentence]);
      assert.equal(answer.body.holder, holder);
    }
    assert.equal(rig.writes(), []);
    await lock.release();
    await untilWell(pump);
    assert.is((await pump.call('POST /api/speed', { power_pct: 20 })).status, 200);
  }));

test('DEV-034 another device on the port is 503 wrong_device, incompatible in health, and never written to', () =>
  onPumpBench(async (rig) => {
    await rig.turn({ wrong_pid: true });
    const pump = await rig.start();
    const sick = await health(pump);
    assert.equal([sick.ok, sick.status, sick.identified], [false, 'incompatible', false]);
    for (const [line, body] of [
      ['POST /api/speed', { power_pct: 20 }],
      ['POST /api/stop', undefined],
    ] as const) {
      const answer = await pump.call(line, body);
      assert.equal([answer.status, answer.body.code], [503, 'wrong_device'], line);
    }
    assert.equal(rig.writes(), []);
    assert.equal(await pump.shutDown('SIGTERM'), { ok: false });
  }));

test('DEV-042 a port that is not there: it starts all the same, says so, and works when the pump comes', () =>
  onPumpBench(async (rig) => {
    await rig.turn({ unplugged: true });
    const pump = await rig.start();
    const sick = await health(pump);
    assert.equal([sick.ok, sick.status, sick.identified, sick.freq_hz], [false, 'error', false, null]);
    assert.is((await pump.call('POST /api/stop')).body.code, 'device_unavailable');
    assert.match(String((await pump.call('GET /metrics')).body.text), 'svc_device_up{device="pump-motor"} 0');
    await rig.turn({ unplugged: false });
    await untilWell(pump);
    assert.is((await pump.call('POST /api/speed', { power_pct: 20 })).status, 200);
  }));

test('SVC-007 metrics tell of the device and of its errors without asking it', () =>
  onPumpBench(async (rig) => {
    const { call } = await rig.start();
    await rig.turn({ exception: 4 });
    assert.equal((await call('GET /api/status')).body.code, 'modbus_exception');
    await rig.turn({ exception: null });
    const before = rig.bench.trace('pump').length;
    const metrics = String((await call('GET /metrics')).body.text);
    assert.match(metrics, 'svc_device_up{device="pump-motor"} 1');
    assert.match(metrics, 'svc_device_errors_total{device="pump-motor",code="modbus_exception"} 1');
    assert.is((await call('GET /openapi.json')).status, 200);
    assert.is(rig.bench.trace('pump').length, before);
  }));

test('SVC-040 the end stops the pump, proves it and frees the lock', () =>
  onPumpBench(async (rig) => {
    const pump = await rig.start();
    await pump.call('POST /api/speed', { power_pct: 40 });
    rig.moves();
    assert.equal(await pump.shutDown('SIGTERM'), { ok: true });
    assert.equal(rig.moves(), ['0 on', '0 off']);
    const identity = () => ({ service: 'svc-test', pid: process.pid, port: null, since: '' });
    await (await acquireLock({ key: serialLockKey(rig.port), identity })).release();
  }));

test('SVC-008 in mock mode the same variables open no device: the twin sees nothing', () =>
  onPumpBench(async (rig) => {
    const { call } = await rig.start({ SVC_HARDWARE_MODE: 'mock' });
    assert.is((await call('POST /api/speed', { power_pct: 40 })).body.mock, true);
    await call('POST /api/stop');
    const health = async () => (await call('GET /health?wait_ms=2500')).body;
    // A machine under load may let the 2.5 s pass; what is told then is that nothing is known.
    let body = await health();
    while (body.mock_mode === undefined) body = await health();
    assert.is(body.mock_mode, true);
    assert.equal(rig.bench.trace('pump'), []);
  }));

test('real mode without a port, or with one that is none, refuses the start and says what to set', async () => {
  const cases: readonly (readonly [Record<string, string>, string])[] = [
    [{}, 'SVC_PUMP_SERIAL_PORT is not set and SVC_HARDWARE_MODE is real; name the port of the pump'],
    [{ SVC_PUMP_SERIAL_PORT: '' }, 'SVC_PUMP_SERIAL_PORT is not set'],
    [{ SVC_PUMP_SERIAL_PORT: 'usb:1a86:7523' }, 'SVC_PUMP_SERIAL_PORT = "usb:1a86:7523" must be a path'],
  ];
  for (const [env, sentence] of cases) {
    const refused = await startTestPump({ SVC_HARDWARE_MODE: 'real', ...env }).catch((error: Error) => error);
    assert.instance(refused, Error);
    assert.is(Reflect.get(refused, 'code'), 'start_refused');
    assert.match(String(Reflect.get(refused, 'message')), sentence);
  }
});

test.run();
