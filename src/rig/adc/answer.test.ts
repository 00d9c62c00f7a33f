import * as assert from 'uvu/assert';
import { DeviceError } from '../../devices/device-error.ts';
import { systemClock } from '../../lib/clock/clock.ts';
import { SteppedClock } from '../../lib/clock/stepped-clock.ts';
import { CodedError } from '../../lib/errors/coded-error.ts';
import type { HttpError } from '../../lib/http/http-error.ts';
import { MetricRegistry } from '../../lib/http/metrics.ts';
import { problemReply } from '../../lib/http/problem.ts';
import { suite } from '../../test-kit/suite.ts';
import { type Probe, probed } from './health.ts';
import { batchAnswer, channelOf, failure, singleAnswer } from './items.ts';
import { Meters } from './meters.ts';
import { ADC_STATUSES, translate } from './problem.ts';
import { allFailed, Mean, roundedVolts } from './reading.ts';

const test = suite('answers of the ADC services');

function thrownBy(work: () => unknown): HttpError {
  try {
    work();
  } catch (error) {
    return error as HttpError;
  }
  throw new Error('it returned');
}

test('volts have 6 and millivolts 2 decimals', () => {
  assert.equal(roundedVolts((197 * 3.3) / 1024), { volts: 0.634863, millivolts: 634.86 });
  assert.equal(roundedVolts(0), { volts: 0, millivolts: 0 });
  assert.equal(roundedVolts(0.000_01), { volts: 0.000_01, millivolts: 0.01 });
  assert.equal(roundedVolts(11), { volts: 11, millivolts: 11_000 });
});

test('the mean of raw values is rounded; one sample at the limit marks it; the time is that of the last sample', () => {
  const mean = new Mean();
  mean.add(1023, true, 10);
  mean.add(500, false, 20);
  mean.add(500, false, 30);
  assert.equal([mean.raw, mean.samples, mean.isAtLimit, mean.observedAt], [674, 3, true, 30]);
  assert.throws(() => new Mean().raw, 'there is no sample');
});

test('SVC-016 a channel is whole digits and nothing else', () => {
  assert.is(channelOf('2', [1, 2, 3]), 2);
  for (const text of ['', '0', '4', ' 1', '1 ', '+1', '1.0', '1e0', '0x1', '١', 'NaN', '11'])
    assert.is(thrownBy(() => channelOf(text, [1, 2, 3])).code, 'invalid_channel', text);
});

const timeout = new DeviceError('device_timeout', 'silent', {
  device: 'usb-adc-uart',
  endpoint: '/dev/serial0',
});
const failed = { ok: false as const, error: timeout };
const good = { ok: true as const, reading: {} };

test('SVC-015 one good item makes the batch, none is an error with the items', () => {
  const told = (...outcomes: (typeof good | typeof failed)[]) =>
    outcomes.map((outcome) => ({ item: { ok: outcome.ok }, outcome }));
  assert.equal(batchAnswer(told(good, failed)), [{ ok: true }, { ok: false }]);
  const none = thrownBy(() => batchAnswer(told(failed, failed)));
  assert.is(none.code, 'device_timeout');
  assert.equal(none.members.channels, [{ ok: false }, { ok: false }]);
  const busy = { ok: false as const, error: new DeviceError('device_busy', 'busy') };
  const mixed = thrownBy(() => batchAnswer(told(failed, busy)));
  assert.is(mixed.code, 'device_unavailable', 'failures of two kinds have no code in common');
  assert.match(mixed.message, 'silent; busy');
});

test('SVC-014 a single failure keeps the identity of its item and has no reading', () => {
  const item = { ok: false, logical_name: 'ai02', code: 'x', error: 'y' };
  const error = thrownBy(() => singleAnswer({ item, outcome: failed }));
  const { body, status } = problemReply(error, ADC_STATUSES);
  const members = body as Record<string, unknown>;
  assert.is(status, 503);
  assert.equal(
    [members.logical_name, members.code, members.error, members.device, members.endpoint, members.ok],
    ['ai02', 'device_timeout', 'silent', 'usb-adc-uart', '/dev/serial0', false],
  );
});

test('SVC-017 device_timeout is 503 on the ADC services; device_busy says when to come again', () => {
  assert.is(problemReply(translate(timeout), ADC_STATUSES).status, 503);
  const busy = problemReply(translate(new DeviceError('device_busy', 'full')), ADC_STATUSES);
  assert.is(busy.status, 503);
  assert.is(busy.headers?.['retry-after'], '1');
});

test('a defect is never an item', () => {
  assert.throws(() => allFailed(new TypeError('defect'), [1], 'x'), 'defect');
  assert.throws(() => failure(new CodedError('not_of_the_contract', 'defect')), 'defect');
});

const around = (clock = systemClock) => ({
  clock,
  meters: new Meters(new MetricRegistry()),
  signal: new AbortController().signal,
});
const probe = (ask: Probe<{ ok: boolean; message: string }>['ask']) => ({
  device: 'usb-adc-uart',
  transport: 'uart' as const,
  endpoint: () => '/dev/serial0',
  isBench: () => false,
  ask,
});

test('SVC-011 any exception of a probe becomes an entry with its status', async () => {
  const unavailable = (reason: string) => new DeviceError('device_unavailable', 'x', { reason });
  for (const [thrown, status] of [
    [timeout, 'timeout'],
    [unavailable('port_absent'), 'not_found'],
    [unavailable('port_busy'), 'unavailable'],
    [unavailable('port_permission'), 'unavailable'],
    [new DeviceError('bank_unreachable', 'x', { reason: 'timeout' }), 'timeout'],
    [new DeviceError('bank_unreachable', 'x', { reason: 'status' }), 'unavailable'],
    [new DeviceError('bank_sample_stale', 'x'), 'error'],
    [new DeviceError('corrupt_response', 'x'), 'error'],
    [new TypeError('a defect'), 'error'],
    ['text', 'error'],
  ] as const) {
    const rejecting = await probed(
      around(),
      probe(() => Promise.reject(thrown)),
    );
    assert.is(rejecting.health.status, status);
    const throwing = await probed(
      around(),
      probe(() => {
        throw thrown;
      }),
    );
    assert.equal([throwing.health.ok, throwing.health.status], [false, status]);
    assert.type(throwing.health.message, 'string');
  }
});

test('SVC-011 a probe that never ends is cut off after 2.5 s, and told so', async () => {
  const clock = new SteppedClock();
  let reason: unknown;
  const asked = probed(
    around(clock),
    probe(({ signal }) => {
      signal.addEventListener('abort', () => {
        reason = signal.reason;
      });
      return new Promise(() => {});
    }),
  );
  await clock.advance(2499);
  assert.is(reason, undefined);
  await clock.advance(1);
  const { health } = await asked;
  assert.equal([health.ok, health.status], [false, 'timeout']);
  assert.is(health.message, 'usb-adc-uart on /dev/serial0: no answer within 2.5 s');
  assert.instance(reason, DeviceError);
  assert.is(clock.pending, 0);
});

test.run();
