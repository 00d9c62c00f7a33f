import * as assert from 'uvu/assert';
import type { EventBody, RunEvent } from '../../../scenario/events/event.ts';
import { suite } from '../../../test-kit/suite.ts';
import { thinBatch, thinTrace } from './thin-batch.ts';

const test = suite('events of a run for a page');

let seq = 0;
const event = (body: EventBody): RunEvent => ({
  seq: seq++,
  t: seq * 10,
  time: '2026-01-01T00:00:00.000Z',
  goal: 0,
  pos: null,
  simulated: false,
  ...body,
});

const point = (value: number | null): RunEvent =>
  event({
    type: 'sample',
    sensor: 'ai01',
    action: value === null ? 'gap' : 'point',
    value,
    unit: 'V',
    stats: null,
  });

const bound = (actual: number, outcome: 'passed' | 'failed'): RunEvent =>
  event({
    type: 'check',
    kind: 'MAX',
    sensor: 'ai01',
    op: '<=',
    low: null,
    high: 2,
    actual,
    unit: 'V',
    outcome,
    message: '',
  });

test('PAGE-008 of a thousand samples the smallest and the largest of each interval remain, in their order', () => {
  const samples = Array.from({ length: 1000 }, (_, i) => point(i === 333 ? 9 : i === 334 ? -9 : i % 7));
  const { events, traces } = thinBatch(samples);
  assert.equal(events, []);
  const { t = [], v = [] } = traces.ai01 ?? {};
  assert.ok(v.length <= 20, `${v.length}`);
  assert.ok(v.includes(9) && v.includes(-9), 'the peak that breaks a limit is there');
  assert.equal(
    [...t].sort((a, b) => a - b),
    t,
  );
});

test('a missing sample stays a gap and is never joined', () => {
  const trace = {
    unit: 'V',
    t: Array.from({ length: 100 }, (_, i) => i),
    v: Array<number | null>(100).fill(1),
  };
  trace.v[50] = null;
  assert.ok(thinTrace(trace).v.includes(null));
});

test('few values are sent as they are', () => {
  assert.equal(thinBatch([point(1), point(2)]).traces.ai01?.v, [1, 2]);
});

test('of many judgements of a bound each failed one and the last remain', () => {
  const checks = [bound(1, 'passed'), bound(3, 'failed'), bound(1.5, 'passed'), bound(1.25, 'passed')];
  const { events } = thinBatch(checks);
  assert.equal(
    events.map((one) => (one.type === 'check' ? one.actual : one.type)),
    [3, 1.25],
  );
});

test('of the commands that passed only the one under way is reported, each that failed is', () => {
  const start = (text: string) => event({ type: 'command.start', command: 'SET', text });
  const end = (text: string, outcome: 'passed' | 'error') =>
    event({ type: 'command.end', command: 'SET', text, outcome, durationMs: 1, code: null, message: null });
  const { events } = thinBatch([start('a'), end('a', 'passed'), start('b'), end('b', 'error'), start('c')]);
  assert.equal(
    events.map((one) =>
      one.type === 'command.end' ? `${one.outcome} ${one.text}` : 'text' in one && one.text,
    ),
    ['error b', 'c'],
  );
});

test.run();
