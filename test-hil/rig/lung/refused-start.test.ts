import * as assert from 'uvu/assert';
import { suite } from '../../../src/test-kit/suite.ts';
import { type Answer, type Body, call, LONG, type LungRig, onLungRig, until } from './lung-rig.ts';

const test = suite('svc-lung refuses a start');

const LOW_VIN = 'Motor supply voltage is too low';
const BOTH = 'Both limit switches are active; movement is blocked';

/** The documented body, and what may follow it. */
function isStartFailure({ status, type, body }: Answer, code: string, error: string): Body {
  assert.is(status, 503, JSON.stringify(body));
  assert.is(type, 'application/problem+json');
  const { data, device, ...rest } = body;
  assert.is(device, 'lung-motor');
  assert.equal(rest, {
    type: `urn:svc:problem:${code}`,
    title: 'Lung start failed',
    status: 503,
    detail: error,
    code,
    error,
    ok: false,
  });
  return (data as Body).runtime_status as Body;
}

const commandsThatMove = (rig: LungRig, mark: number) =>
  rig.commands(mark).filter((command) => ['85', 'E0', 'E3', '97'].includes(command));

test('SVC-030 low supply: the exact sentence, the full status, and no command that moves', () =>
  onLungRig(async (rig) => {
    const { url } = await rig.start();
    // 9 V does not trip the chip; the rig wants 10 V.
    await rig.turn({ vin_mv: 9000 });
    const mark = rig.mark();
    const seen = isStartFailure(await call(url, 'POST /api/lung', LONG), 'lung_low_vin', LOW_VIN);
    assert.equal([seen.low_vin, seen.vin_mv, seen.vin_voltage], [true, 9000, 9]);
    assert.equal([seen.connected, seen.moving, seen.energized], [true, false, false]);
    assert.equal([seen.last_motion_error, seen.error], [LOW_VIN, LOW_VIN]);
    assert.equal([seen.cycles_done, seen.cycles_total], [0, 1]);
    assert.equal(commandsThatMove(rig, mark), []);
    const { body } = await call(url, 'POST /api/energize', { enable: true });
    assert.equal([body.code, body.error], ['lung_low_vin', LOW_VIN]);
    assert.ok(await rig.isSafe());
  }));

test('SVC-030 the least supply is SVC_LUNG_MIN_VIN_V', () =>
  onLungRig(async (rig) => {
    const { url } = await rig.start({ SVC_LUNG_MIN_VIN_V: '8.5' });
    await rig.turn({ vin_mv: 9000 });
    assert.is((await call(url, 'POST /api/lung', LONG)).status, 200);
    assert.is((await call(url, 'GET /api/settings')).body.min_vin_v, 8.5);
  }));

test('SVC-030 both limit switches: the exact sentence, the full status, and no command that moves', () =>
  onLungRig(async (rig) => {
    const { url } = await rig.start();
    await rig.turn({ forward_limit: true, reverse_limit: true });
    const mark = rig.mark();
    const seen = isStartFailure(await call(url, 'POST /api/lung', LONG), 'lung_limits_blocked', BOTH);
    assert.equal([seen.forward_limit_active, seen.reverse_limit_active, seen.error], [true, true, BOTH]);
    assert.equal(commandsThatMove(rig, mark), []);
    await rig.turn({ reverse_limit: false });
    const one = await call(url, 'POST /api/lung', LONG);
    const text = 'The forward limit switch is active; only reverse movement is allowed';
    assert.is(isStartFailure(one, 'lung_limits_blocked', text).reverse_limit_active, false);
    const back = await call(url, 'POST /api/lung', { ...LONG, direction: 'reverse' });
    assert.is(back.status, 200, JSON.stringify(back.body));
  }));

test('SVC-030 SVC-031 no motion: the target is sent once, and the motor is de-energized', () =>
  onLungRig(async (rig) => {
    const { url } = await rig.start();
    await rig.turn({ no_motion: true });
    const mark = rig.mark();
    const answer = await call(url, 'POST /api/lung', LONG);
    const seen = isStartFailure(answer, 'lung_start_failed', String(answer.body.error));
    assert.match(String(answer.body.error), 'no motion was seen within 500 ms');
    assert.equal([seen.moving, seen.energized], [false, false]);
    assert.is(seen.last_motion_error, answer.body.error);
    assert.is(rig.commands(mark).filter((command) => command === 'E0').length, 1);
    assert.equal(rig.commands(mark).slice(-3), ['89', '86', '8F']);
    assert.ok(await rig.isSafe());
  }));

test('a driver error comes before the supply, and the supply before the switches', () =>
  onLungRig(async (rig) => {
    const { url } = await rig.start();
    await rig.turn({ driver_error: 'over_current', vin_mv: 9000, forward_limit: true, reverse_limit: true });
    const first = await call(url, 'POST /api/lung', LONG);
    assert.equal([first.status, first.body.code], [503, 'device_error']);
    assert.match(String(first.body.error), 'motor driver reports an error');
    const seen = (first.body.data as Body).runtime_status as Body;
    assert.equal([seen.motor_driver_error, seen.low_vin], [true, true]);
    assert.match(String(seen.error), 'over_current');
  }));

test('SVC-030 a device that is gone: 503 with a status in which everything unknown is null', () =>
  onLungRig(async (rig) => {
    const { url } = await rig.start();
    await rig.turn({ unplug: true });
    await until(async () => (await call(url, 'GET /health?wait_ms=2500')).body.ok === false);
    for (const [line, body] of [['GET /api/status'], ['POST /api/lung', LONG]] as const) {
      const answer = await call(url, line, body);
      assert.equal([answer.status, answer.body.code, answer.body.ok], [503, 'device_unavailable', false]);
      const seen = (answer.body.data as Body).runtime_status as Body;
      assert.equal([seen.connected, seen.energized, seen.moving, seen.vin_mv], [false, null, null, null]);
      assert.type(seen.error, 'string');
    }
    assert.is((await call(url, 'POST /api/stop')).status, 503, 'a stop that is not proven is not confirmed');
  }));

test('SVC-017 a silent device is 504 device_timeout, and nothing is made up for it', () =>
  onLungRig(async (rig) => {
    const { url } = await rig.start();
    await rig.turn({ once: Array.from({ length: 3 }, () => ({ silent: true })) });
    const { status, body } = await call(url, 'POST /api/lung', LONG);
    assert.equal([status, body.code, body.ok], [504, 'device_timeout', false]);
    assert.is(((body.data as Body).runtime_status as Body).connected, false);
    await until(async () => (await call(url, 'GET /api/status')).status === 200);
    assert.ok(await rig.isSafe());
  }));

test.run();
