import * as assert from 'uvu/assert';
import { SteppedClock } from '../../lib/clock/stepped-clock.ts';
import { suite } from '../../test-kit/suite.ts';
import { TraceLog } from './trace-log.ts';

const test = suite('trace');

function filled(entries: number, limit = 100): TraceLog {
  const log = new TraceLog({ clock: new SteppedClock(), limit });
  for (let entry = 1; entry <= entries; entry++)
    log.event(entry % 2 === 1 ? 'pump' : 'tic', { kind: 'note', note: String(entry) });
  return log;
}

const numbers = (log: TraceLog, query: Parameters<TraceLog['page']>[0]) => {
  const { trace, next, lost } = log.page(query);
  return [trace.map(({ n }) => n), next, lost];
};

test('pages go on where the last one ended, without a gap and without repeating', () => {
  const log = filled(5);
  assert.equal(numbers(log, { limit: 2 }), [[1, 2], 2, 0]);
  assert.equal(numbers(log, { since: 2, limit: 2 }), [[3, 4], 4, 0]);
  assert.equal(numbers(log, { since: 4, limit: 2 }), [[5], 5, 0]);
  assert.equal(numbers(log, { since: 5 }), [[], 5, 0]);
});

test('pages of one device pass over the others', () => {
  const log = filled(6);
  assert.equal(numbers(log, { device: 'tic', limit: 2 }), [[2, 4], 4, 0]);
  assert.equal(numbers(log, { device: 'tic', since: 4 }), [[6], 6, 0]);
  assert.equal(numbers(log, { device: 'pump', since: 5 }), [[], 6, 0]);
});

test('entries that memory no longer has are counted, never passed over in silence', () => {
  const log = filled(10, 4);
  assert.equal(numbers(log, {}), [[7, 8, 9, 10], 10, 6]);
  assert.equal(numbers(log, { since: 5 }), [[7, 8, 9, 10], 10, 1]);
  assert.equal(numbers(log, { since: 6 }), [[7, 8, 9, 10], 10, 0]);
});

test('who waits is woken by the first entry of its device', async () => {
  const log = filled(2);
  let woken = false;
  const waiting = log.arrival({ device: 'tic', since: 2 }, new AbortController().signal).then(() => {
    woken = true;
  });
  log.event('pump', { kind: 'note', note: 'another' });
  await new Promise((resolve) => setImmediate(resolve));
  assert.is(woken, false);
  log.event('tic', { kind: 'note', note: 'this one' });
  await waiting;
  assert.equal(numbers(log, { device: 'tic', since: 2 }), [[4], 4, 0]);
});

test('who waits in vain ends with the signal; who need not wait does not', async () => {
  const log = filled(1);
  const stop = new AbortController();
  const waiting = log.arrival({ since: 1 }, stop.signal);
  stop.abort();
  await waiting;
  await log.arrival({ since: 0 }, new AbortController().signal);
});

test('each kind of event keeps its members', () => {
  const log = new TraceLog({ clock: new SteppedClock() });
  log.event('usbhid', { kind: 'out', bytes: Uint8Array.of(0x10, 0xff), note: 'late' });
  log.event('usbhid', { kind: 'reenumerate', awayMs: 500 });
  log.event('tic', { kind: 'motion', position: 3, velocity: -2, energized: true });
  log.knobs('plant', { leak: 0 });
  const told = log.entries().map(({ n: _, at_ms, at, ...rest }) => {
    assert.is(at_ms, 0);
    assert.is(at, '2025-01-01T00:00:00.000Z');
    return rest;
  });
  assert.equal(told, [
    { device: 'usbhid', kind: 'out', bytes: '10 FF', note: 'late' },
    { device: 'usbhid', kind: 'reenumerate', away_ms: 500 },
    { device: 'tic', kind: 'motion', position: 3, velocity: -2, energized: true },
    { device: 'plant', kind: 'knobs', knobs: { leak: 0 } },
  ]);
});

test.run();
