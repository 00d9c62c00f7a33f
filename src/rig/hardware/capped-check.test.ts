import * as assert from 'uvu/assert';
import { SteppedClock } from '../../lib/clock/stepped-clock.ts';
import { suite } from '../../test-kit/suite.ts';
import { cappedCheck } from './capped-check.ts';
import type { Component, ComponentHealth } from './ports.ts';

const test = suite('health probe with a limit');

const component = (check: Component['check']): Component => ({
  id: 'sensor-adc',
  endpoint: 'there',
  path: null,
  check,
  known: () => ({ status: 'ok', message: 'open' }),
});

test('a probe that does not end is aborted at the limit and counts as silent, or as what the caller says', async () => {
  const clock = new SteppedClock();
  let stopped = 0;
  const hangs = component((signal) => {
    signal.addEventListener('abort', () => stopped++);
    return new Promise(() => {});
  });
  const silent = cappedCheck(hangs, { clock, limitMs: 2500 });
  const late = { status: 'error', code: 'its_own', message: 'said so' } as const;
  const own = cappedCheck(hangs, { clock, limitMs: 2500, late });
  await clock.advance(2499);
  assert.is(stopped, 0);
  await clock.advance(1);
  const expected = { compatible: false, endpoint: 'there', latencyMs: 2500, bench: false };
  assert.equal(await silent, {
    ...expected,
    status: 'timeout',
    code: 'device_timeout',
    message: 'no answer within 2500 ms',
  });
  assert.equal(await own, { ...expected, ...late });
  assert.equal([stopped, clock.pending], [2, 0]);
});

test('what a probe throws becomes an entry, and one that ends in time is as it is', async () => {
  const clock = new SteppedClock();
  const throws = component(() => Promise.reject(new Error('defect')));
  const { status, code, message, compatible } = await cappedCheck(throws, { clock, limitMs: 100 });
  assert.equal([status, code, message, compatible], ['error', 'internal_error', 'defect', false]);
  const health: ComponentHealth = {
    status: 'ok',
    compatible: true,
    code: null,
    message: 'answered',
    endpoint: 'there',
    latencyMs: 3,
    bench: true,
  };
  assert.is(
    await cappedCheck(
      component(async () => health),
      { clock, limitMs: 100 },
    ),
    health,
  );
  assert.is(clock.pending, 0);
});

test.run();
