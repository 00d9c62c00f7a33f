import * as assert from 'uvu/assert';
import { SteppedClock } from '../../lib/clock/stepped-clock.ts';
import { MetricRegistry } from '../../lib/http/metrics.ts';
import { LockHeldError } from '../../lib/lock/lock.ts';
import { suite } from '../../test-kit/suite.ts';
import { RigError } from '../hardware/rig-error.ts';
import { ActuatorHold } from './actuator-hold.ts';

const test = suite('an actuator under its hold');

const gone = new RigError('device_unavailable', 'lung-motor', 'gone', undefined, { data: 1 });

/** An actuator that stops when `fault` is undefined. */
function setUp({ mayAct = true }: { mayAct?: boolean } = {}) {
  const clock = new SteppedClock();
  const device = { fault: undefined as unknown, mayAct, stops: 0 };
  const lines: string[] = [];
  const log = (level: string) => (line: string) => void lines.push(`${level}: ${line}`);
  const metrics = new MetricRegistry();
  const hold = new ActuatorHold({
    device: 'lung-motor',
    noun: 'the lung',
    clock,
    metrics,
    logger: { debug: log('debug'), info: log('info'), warn: log('warn'), error: log('error') },
    stop: async () => {
      device.stops += 1;
      if (device.fault !== undefined) throw device.fault;
      return 'stands';
    },
    shown: (result) => result,
    mayAct: () => device.mayAct,
  });
  return { clock, device, lines, metrics, hold };
}

const refusal = (hold: ActuatorHold<string>): string => {
  try {
    hold.admit();
    return 'admitted';
  } catch (thrown) {
    return `${Reflect.get(thrown as object, 'code')}: ${(thrown as Error).message}`;
  }
};

test('SVC-040 one that may act is not used before it was stopped; one that is known to stand is', async () => {
  const { hold } = setUp();
  assert.match(refusal(hold), 'safe_state_in_progress: the lung is being stopped (start)');
  await hold.stop('start');
  assert.is(refusal(hold), 'admitted');
  assert.is(refusal(setUp({ mayAct: false }).hold), 'admitted');
});

test('SVC-028 nothing is begun while a stop is not proven, and the refusal names what is in its way', async () => {
  const { hold, device, clock } = setUp();
  device.fault = gone;
  hold.stopInBackground('the hold was not renewed');
  await clock.advance(100);
  const sentence = 'not proven to be stopped (the hold was not renewed): gone';
  assert.is(refusal(hold), `device_unavailable: lung-motor: ${sentence}`);
  assert.is(hold.pendingText, sentence);
  hold.renew(10);
  assert.is(hold.remainingS, null);
  device.fault = new LockHeldError('usb-1ffb-00c9', null);
  await clock.advance(1000);
  assert.match(refusal(hold), 'held_by_other: ');
  device.fault = undefined;
  await clock.advance(5000);
  assert.equal([refusal(hold), hold.pendingText], ['admitted', undefined]);
});

test('a device that is away for long is logged once, and counted each time', async () => {
  const { hold, device, clock, lines, metrics } = setUp();
  device.fault = gone;
  hold.stopInBackground('lost');
  await clock.advance(10_000);
  assert.is(lines.filter((line) => line.startsWith('error: ')).length, 1);
  assert.match(await metrics.render(), `code="device_unavailable"} ${device.stops}`);
  device.fault = undefined;
  await clock.advance(1000);
  assert.is(lines.at(-1), 'info: stopped (lost): stands');
});

test('a stop of what is at rest and cannot be reached fails, and is not repeated', async () => {
  const { hold, device, clock } = setUp({ mayAct: false });
  device.fault = gone;
  assert.is(await hold.stop('asked').catch((error: RigError) => error.code), 'device_unavailable');
  await clock.advance(60_000);
  assert.equal([device.stops, hold.pending, refusal(hold)], [1, undefined, 'admitted']);
});

test('SVC-040 the last stop is repeated within its time, which is over before the service must be', async () => {
  const { hold, device, clock } = setUp();
  device.fault = gone;
  let result: boolean | undefined;
  void hold.shutDown('SIGTERM').then((isProven) => {
    result = isProven;
  });
  await clock.advance(2000);
  assert.is(result, undefined);
  assert.match(refusal(hold), 'safe_state_in_progress: the service is shutting down');
  await clock.advance(1200);
  assert.equal([result, clock.pending], [false, 0]);
});

test('SVC-040 the last stop: proven, at rest, or held by another process', async () => {
  const proven = setUp();
  assert.is(await proven.hold.shutDown('SIGTERM'), true);
  const atRest = setUp({ mayAct: false });
  atRest.device.fault = gone;
  assert.is(await atRest.hold.shutDown('SIGTERM'), true, 'nothing was there to stop');
  const held = setUp();
  held.device.fault = new LockHeldError('usb-1ffb-00c9', null);
  assert.is(await held.hold.shutDown('SIGTERM'), false);
  assert.equal([held.device.stops, held.clock.pending], [1, 0], 'waiting would not stop it');
});

test.run();
