import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, connect, createServer } from 'node:net';
import * as assert from 'uvu/assert';
import { systemClock } from '../../lib/clock/clock.ts';
import { SteppedClock } from '../../lib/clock/stepped-clock.ts';
import { abstractAddress } from '../../lib/liveness/abstract-address.ts';
import { HeartbeatServer } from '../../lib/liveness/heartbeat-server.ts';
import { acquireLock } from '../../lib/lock/lock.ts';
import { serialLockKey } from '../../lib/lock/lock-key.ts';
import type { BridgeCaller } from '../../rig/hardware/real/http/actuator-service.ts';
import { httpPump } from '../../rig/hardware/real/http/pump.ts';
import type { RigError } from '../../rig/hardware/rig-error.ts';
import { bridgeIdOf } from '../../rig/hold/bridge-id.ts';
import {
  onPumpBench,
  type PumpBench,
  startTestPump,
  type TestPump,
  until,
} from '../../test-kit/services/pump.ts';
import { suite } from '../../test-kit/suite.ts';

const test = suite('the pump through its service');

const RIG = 'bench-7/0123456789abcdef';
const never = new AbortController().signal;
const faultOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'done',
    (error: RigError) => error.code,
  );

/** The bridge's side: its own time stands still until it is moved on. */
async function linkTo(url: string, token?: string, bridge?: BridgeCaller) {
  const clock = new SteppedClock();
  const told: string[] = [];
  const pump = httpPump({
    baseUrl: url,
    token,
    clock,
    timeoutMs: 2000,
    bridge,
    onReturn: () => told.push('return'),
    onLost: (why) => told.push(why),
  });
  await pump.open();
  return { pump, clock, told };
}

/** A bridge with a rig of its own. */
function bridgeOf(rig: string, lifeAddress = abstractAddress(`svc-test/none/${randomUUID()}`)): BridgeCaller {
  const identity = { service: 'svc-bridge', pid: 4200, port: 8202, since: '2025-01-15T10:00:00.000Z' };
  return { id: () => bridgeIdOf(rig, identity), lifeAddress: () => lifeAddress };
}

const canConnect = (address: string) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(address, () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });

/** How often the service was asked for this. */
async function asked(service: TestPump, route: string): Promise<number> {
  const metrics = String((await service.call('GET /metrics')).body.text);
  const lines = metrics.split('\n').filter((line) => line.startsWith('svc_http_requests_total'));
  const counts = lines.filter((line) => line.includes(`route="${route}"`)).map((line) => line.split(' ')[1]);
  return counts.reduce((sum, count) => sum + Number(count), 0);
}

async function running(rig: PumpBench) {
  const service = await rig.start();
  const link = await linkTo(service.url);
  await link.pump.port.setPower(40);
  rig.writes();
  return { service, ...link };
}

test('SVC-031 a power is sent once under a hold of 10 s, which is renewed every 3 s until the stop', () =>
  onPumpBench(async (rig) => {
    const service = await rig.start();
    const { pump, clock } = await linkTo(service.url);
    rig.writes();
    assert.equal(await pump.port.setPower(40), {
      powerPercent: 40,
      duty: 102,
      enabled: true,
      frequencyHz: null,
      verified: true,
    });
    assert.equal([rig.writes(), await asked(service, '/api/speed')], [['6=102', '8=1'], 1]);
    const { body } = await service.call('GET /api/status');
    assert.ok(Number(body.hold_remaining_s) > 0 && Number(body.hold_remaining_s) <= 10);
    for (let n = 1; n <= 4; n++) {
      await clock.advance(2999);
      assert.is(await asked(service, '/api/hold'), n - 1);
      await clock.advance(1);
      await until(async () => (await asked(service, '/api/hold')) === n && clock.pending === 1);
    }
    assert.equal(await pump.port.read(), {
      powerPercent: 40,
      duty: 102,
      enabled: true,
      frequencyHz: 1019,
      verified: true,
    });
    const stopped = await pump.port.setPower(0);
    assert.equal([stopped.duty, stopped.enabled, stopped.verified], [0, false, true]);
    assert.is(clock.pending, 0);
    await clock.advance(30_000);
    assert.equal([rig.writes(), await asked(service, '/api/hold')], [['6=0', '8=0'], 4]);
    await pump.close();
  }));

test('SVC-039 the step pump_zero ends the renewals, is verified, and marks follow what the service says', () =>
  onPumpBench(async (rig) => {
    const { service, pump, clock, told } = await running(rig);
    assert.equal(pump.port.origin, { mock: false, bench: true });
    const result = await pump.steps.pump_zero(never);
    assert.equal(result, {
      status: 'done',
      verified: true,
      detail: `duty 0 and disabled by read-back of svc-pump at ${service.url}`,
    });
    assert.equal([rig.bench.outputs.pump.enabled, clock.pending, told], [false, 0, []]);
    const { status, compatible, bench, endpoint } = await pump.component.check(never);
    assert.equal([status, compatible, bench, endpoint], ['ok', true, true, service.url]);
    await pump.close();
  }));

test('SVC-028 a service that was started anew has stopped the pump: that is noticed and reported once', () =>
  onPumpBench(async (rig) => {
    const { service, pump, clock, told } = await running(rig);
    await service.shutDown('test');
    await rig.start({}, { port: service.port });
    await clock.advance(3000);
    await until(() => told.length > 0);
    await clock.advance(30_000);
    assert.equal(told, [
      'pump-motor is no longer under command: it shows duty 0, disabled where duty 102 was commanded',
    ]);
    await pump.close();
  }));

test('SVC-028 a service that is gone: reported once, the stop is tried once, its return is noticed within 5 s', () =>
  onPumpBench(async (rig) => {
    const { service, pump, clock, told } = await running(rig);
    await service.shutDown('test');
    await clock.advance(3000);
    await until(() => told.length > 0 && pump.component.known().status === 'error');
    assert.equal(told.length, 1);
    assert.match(String(told[0]), 'pump-motor is no longer under command: its hold could not be renewed');
    assert.is(await faultOf(pump.steps.pump_zero(never)), 'device_unavailable');
    assert.is(await faultOf(pump.port.setPower(20)), 'device_unavailable');
    const again = await rig.start({}, { port: service.port });
    await clock.advance(5000);
    await until(() => told.includes('return'));
    assert.is(pump.component.known().status, 'ok');
    assert.is(await asked(again, '/api/speed'), 0, 'nothing is sent again');
    await clock.advance(30_000);
    assert.is(told.length, 2);
    await pump.close();
  }));

test('SVC-028 a pump that was stopped by somebody else is noticed by the next reading or renewal', () =>
  onPumpBench(async (rig) => {
    const { service, pump, told } = await running(rig);
    await service.call('POST /api/speed', { power_pct: 20 });
    assert.is((await pump.port.read()).duty, 51);
    assert.equal(told, [
      'pump-motor is no longer under command: it shows duty 51, enabled where duty 102 was commanded',
    ]);
    await until(() => !rig.bench.outputs.pump.enabled);
    await pump.close();
  }));

test('SVC-052 each call of a bridge holds the service: no one else switches the pump on, everybody stops and reads it', () =>
  onPumpBench(async (rig) => {
    const service = await rig.start();
    const { pump } = await linkTo(service.url, undefined, bridgeOf(RIG));
    for (const call of [
      () => pump.steps.pump_zero(never),
      () => pump.port.read(),
      () => pump.port.setPower(40),
    ]) {
      await call();
      rig.writes();
      const { status, body } = await service.call('POST /api/speed', { power_pct: 20 });
      assert.equal([status, body.code, body.device], [409, 'held_by_bridge', 'pump-motor']);
      assert.equal(body.holder, {
        service: 'svc-bridge',
        pid: 4200,
        port: 8202,
        since: '2025-01-15T10:00:00.000Z',
      });
      assert.match(String(body.detail), String(body.remedy));
      assert.equal(rig.writes(), []);
    }
    const { body } = await service.call('POST /api/hold', { hold_s: 3600 });
    assert.is(body.code, 'held_by_bridge', 'nor does anybody else keep it running');
    const status = await service.call('GET /api/status');
    assert.equal([status.status, status.body.duty], [200, 102]);
    assert.ok(Number(status.body.hold_remaining_s) <= 10);
    for (const stop of [{ line: 'POST /api/speed', sent: { power_pct: 0.1 } }, { line: 'POST /api/stop' }]) {
      await pump.port.setPower(40);
      assert.is((await service.call(stop.line, stop.sent)).status, 200);
      assert.is(rig.bench.outputs.pump.enabled, false);
    }
    await pump.close();
  }));

test('SVC-052 the bridge of another rig is refused with the holder, and may still stop the pump', () =>
  onPumpBench(async (rig) => {
    const { url } = await rig.start();
    const { pump } = await linkTo(url, undefined, bridgeOf(RIG));
    await pump.port.setPower(40);
    const other = await linkTo(url, undefined, bridgeOf('bench-8/0123456789abcdef'));
    rig.writes();
    const refused = await other.pump.port.setPower(20).catch((error: RigError) => error);
    assert.is(Reflect.get(refused, 'code'), 'held_by_bridge');
    assert.match(
      String(Reflect.get(refused, 'message')),
      `held by svc-bridge (pid 4200, port 8202) of rig ${RIG}`,
    );
    assert.equal(rig.writes(), [], 'nothing reaches the pump: the other run goes on');
    assert.is(rig.bench.outputs.pump.enabled, true);
    assert.is((await other.pump.steps.pump_zero(never)).verified, true);
    await Promise.all([pump.close(), other.pump.close()]);
  }));

test('SVC-031 a power that fails on a standing pump is not repeated; it is commanded to stop, and nobody is lost', () =>
  onPumpBench(async (rig) => {
    const service = await rig.start();
    const { pump, clock, told } = await linkTo(service.url);
    await rig.turn({ duty_stuck: true });
    assert.is(await faultOf(pump.port.setPower(40)), 'pump_unverified');
    await rig.turn({ duty_stuck: false });
    await until(async () => (await asked(service, '/api/stop')) === 1);
    assert.equal([await asked(service, '/api/speed'), told], [1, []]);
    await clock.advance(30_000);
    assert.is(await asked(service, '/api/hold'), 0);
    await pump.close();
  }));

test('SVC-028 a change of power that fails on a running pump: stopped and reported once', () =>
  onPumpBench(async (rig) => {
    const { pump, told } = await running(rig);
    await rig.turn({ exception: 4 });
    assert.is(await faultOf(pump.port.setPower(80)), 'modbus_exception');
    assert.is(told.length, 1);
    assert.match(
      String(told[0]),
      'pump-motor is no longer under command: a change of its power failed: pump-motor',
    );
    await rig.turn({ exception: null });
    await until(() => !rig.bench.outputs.pump.enabled);
    await pump.close();
  }));

test('SVC-009 a service in mock mode is incompatible, nothing is sent to it, and its stop proves nothing', async () => {
  const service = await startTestPump();
  const { pump } = await linkTo(service.url);
  const { status, compatible, code, message } = await pump.component.check(never);
  assert.equal([status, compatible, code], ['incompatible', false, 'wrong_device']);
  assert.match(message, 'SVC_HARDWARE_MODE=real');
  assert.is(await faultOf(pump.port.setPower(40)), 'wrong_device');
  assert.is(await asked(service, '/api/speed'), 0);
  for (const ask of [pump.port.read(), pump.steps.pump_zero(never), pump.port.setPower(0)])
    assert.is(await faultOf(ask), 'wrong_device');
  await pump.close();
  await service.shutDown('test_end');
});

test('SVC-009 a service that comes back in mock mode is not taken for the pump', () =>
  onPumpBench(async (rig) => {
    const { service, pump, clock, told } = await running(rig);
    await service.shutDown('test');
    await rig.start({ SVC_HARDWARE_MODE: 'mock' }, { port: service.port });
    await clock.advance(3000);
    await until(() => told.length > 0);
    assert.match(String(told[0]), 'moves nothing');
    await pump.close();
  }));

test('SVC-025 a pump that another owner has is held, with the holder, and refused with its sentence', () =>
  onPumpBench(async (rig) => {
    const holder = { service: 'svc-guard', pid: 4123, port: null, since: '2025-01-15T10:00:00.000Z' };
    const key = serialLockKey(rig.port);
    const lock = await acquireLock({ key, identity: () => holder });
    const { pump } = await linkTo((await rig.start()).url);
    const health = await pump.component.check(never);
    assert.equal([health.status, health.code, health.holder], ['held', 'held_by_other', holder]);
    const refused = await pump.port.setPower(40).catch((error: RigError) => error);
    assert.equal([Reflect.get(refused, 'code')], ['held_by_other']);
    assert.match(String(Reflect.get(refused, 'message')), 'is held by svc-guard (pid 4123');
    await pump.close();
    await lock.release();
  }));

test('SVC-039 a service that hangs: each call ends in its time, and a stop that was cut off is waited for', async () => {
  const hung = createServer(() => {}).listen(0, '127.0.0.1');
  await once(hung, 'listening');
  const { port } = hung.address() as AddressInfo;
  const clock = new SteppedClock();
  const nobody = () => {};
  const baseUrl = `http://127.0.0.1:${port}`;
  const pump = httpPump({
    baseUrl,
    token: undefined,
    clock,
    timeoutMs: 2000,
    onReturn: nobody,
    onLost: nobody,
  });
  const opened = pump.open();
  await clock.advance(2000);
  await opened;
  assert.is(pump.component.known().status, 'timeout');
  const power = faultOf(pump.port.setPower(40));
  await clock.advance(2000);
  assert.is(await power, 'device_timeout', 'it was not even asked to run');
  const cap = new AbortController();
  const zero = faultOf(pump.steps.pump_zero(cap.signal));
  await clock.advance(800);
  cap.abort(Object.assign(new Error('capped'), { code: 'capped' }));
  assert.is(await zero, 'capped');
  assert.is(pump.component.known().status, 'error');
  await pump.close();
  hung.close();
});

test('SVC-028 a life line that breaks, or says that its service ends, lets the hold be renewed at once, and no time passes', () =>
  onPumpBench(async (rig) => {
    const service = await rig.start();
    const address = abstractAddress(`svc-test/http-pump/${randomUUID()}`);
    const line = new HeartbeatServer({ address, clock: systemClock, hello: () => ({}), log: () => {} });
    line.open();
    await until(() => canConnect(address));
    const { pump, told } = await linkTo(service.url, undefined, bridgeOf(RIG, address));
    await until(() => line.isWatchedBy('svc-bridge'));
    // Also what was heard before the power was confirmed: nothing says which of the two came first.
    line.tell({ closing: true });
    await pump.port.setPower(40);
    await until(async () => (await asked(service, '/api/hold')) === 1);
    line.tell({ closing: true });
    await until(async () => (await asked(service, '/api/hold')) === 2);
    assert.equal(told, [], 'it still holds');
    await service.call('POST /api/stop');
    line.close();
    await until(() => told.length > 0);
    assert.match(told.join(), 'it shows duty 0, disabled where duty 102 was commanded');
    await pump.close();
  }));

test('a power that is superseded on its way begins no renewal and tells nobody', () =>
  onPumpBench(async (rig) => {
    const service = await rig.start();
    const { pump, clock, told } = await linkTo(service.url);
    await rig.turn({ late_ms: 200 });
    const superseded = new AbortController();
    const power = faultOf(pump.port.setPower(40, superseded.signal));
    await until(() =>
      rig.bench
        .trace('pump')
        .some(({ kind, bytes }) => kind === 'in' && /^32 06 00 06 00 66/i.test(bytes ?? '')),
    );
    superseded.abort(Object.assign(new Error('safe state'), { code: 'superseded' }));
    const zero = await pump.steps.pump_zero(never);
    assert.equal([await power, zero.status, told], ['superseded', 'done', []]);
    await rig.turn({ late_ms: 0 });
    assert.equal([rig.bench.outputs.pump.enabled, clock.pending], [false, 0]);
    await pump.close();
  }));

test('SVC-003 the token goes with each call', () =>
  onPumpBench(async (rig) => {
    const token = 'sixteen-or-more-characters';
    const { url } = await rig.start({ SVC_API_TOKEN: token });
    const { pump } = await linkTo(url, token);
    assert.is((await pump.port.setPower(20)).duty, 51);
    await pump.close();
    const stranger = await linkTo(url);
    assert.is(await faultOf(stranger.pump.port.setPower(20)), 'device_error');
    await stranger.pump.close();
  }));

test('an address that leads to another program is incompatible and is sent nothing', async () => {
  const other = createHttpServer((_, response) => {
    response.setHeader('content-type', 'application/json');
    response.end('{"ok":true,"service":"svc-lung"}');
  });
  other.listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { pump } = await linkTo(`http://127.0.0.1:${(other.address() as AddressInfo).port}`);
  const { status, message } = await pump.component.check(never);
  assert.is(status, 'incompatible');
  assert.match(message, 'is svc-lung');
  assert.is(await faultOf(pump.port.setPower(20)), 'wrong_device');
  await pump.close();
  other.close();
});

test.run();
