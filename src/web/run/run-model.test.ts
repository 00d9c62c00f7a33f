import * as assert from 'uvu/assert';
import type { EventBody, RunEvent } from '../../scenario/events/event.ts';
import type { RunBatch } from '../../services/server/live/live-schema.ts';
import { suite } from '../../test-kit/suite.ts';
import { joinedBatches, limitsOf, type RunModel, withBatch } from './run-model.ts';

const test = suite('run on the page');

const PLAN = [
  { index: 0, kind: 'GOAL' as const, name: 'One', teardown: false },
  { index: 1, kind: 'CONFIG' as const, name: 'vent', teardown: true },
];
const START: EventBody = {
  type: 'run.start',
  scenario: 'Leak',
  file: 'leak.oql',
  version: 4,
  dialect: 'flat',
  mode: 'execute',
  plan: PLAN,
};
const block = { kind: 'GOAL' as const, name: 'One', teardown: false, attempt: 1 };

function range(actual: number, outcome: 'passed' | 'failed'): EventBody {
  const limits = { low: 1, high: 2 };
  return {
    type: 'check',
    kind: 'RANGE',
    sensor: 'AI01',
    op: 'in',
    ...limits,
    actual,
    unit: 'V',
    outcome,
    message: '',
  };
}

function batch(first: number, bodies: EventBody[], traces: RunBatch['traces'] = {}, runId = 'r-1'): RunBatch {
  const events = bodies.map((body, i): RunEvent => {
    const seq = first + i;
    return { seq, t: seq * 100, time: '2026-01-01T00:00:00Z', goal: 0, pos: null, simulated: false, ...body };
  });
  return {
    run_id: runId,
    first,
    last: first + Math.max(0, bodies.length - 1),
    is_end: false,
    events,
    traces,
  };
}

test('PAGE-001 blocks go from pending by running to their outcome', () => {
  let model: RunModel = withBatch(undefined, batch(0, [START]));
  assert.equal(
    model.blocks.map(({ state }) => state),
    ['pending', 'pending'],
  );
  model = withBatch(model, batch(1, [{ type: 'block.start', ...block }]));
  assert.is(model.blocks[0]?.state, 'running');
  const end = { outcome: 'failed' as const, checks: 1, failedChecks: 1, durationMs: 1, message: 'too low' };
  model = withBatch(model, batch(2, [{ type: 'block.end', ...block, ...end }]));
  assert.equal([model.blocks[0]?.state, model.blocks[0]?.message], ['failed', 'too low']);
});

test('PAGE-001 a bound is one row with its last value, and a violation of it stays', () => {
  let model = withBatch(undefined, batch(0, [START, range(1.5, 'passed'), range(1.6, 'passed')]));
  assert.equal(
    model.checks.map(({ actual }) => actual),
    [1.6],
  );
  model = withBatch(model, batch(3, [range(3, 'failed'), range(1.7, 'passed')]));
  assert.equal(
    model.checks.map(({ actual, outcome }) => [actual, outcome]),
    [[3, 'failed']],
  );
});

test('PAGE-001 another run, or the same one from its beginning, replaces what was shown', () => {
  const one = withBatch(undefined, batch(0, [START, range(1.5, 'passed')]));
  assert.is(withBatch(one, batch(0, [START], {}, 'r-2')).checks.length, 0);
  assert.is(withBatch(one, batch(0, [START])).checks.length, 0);
});

test('PAGE-008 batches that wait become one, and show what they would show one by one', () => {
  const parts = Array.from({ length: 5 }, (_, part) =>
    batch(part * 2, part === 0 ? [START] : [], {
      ai01: { unit: 'V', t: [part], v: [part === 3 ? null : part] },
    }),
  );
  const joined = parts.reduce(joinedBatches, []);
  assert.is(joined.length, 1);
  const one = parts.reduce<RunModel | undefined>(withBatch, undefined);
  assert.equal(joined.reduce<RunModel | undefined>(withBatch, undefined), one);
  const again = batch(0, [], { ai01: { unit: 'V', t: [1], v: [7] } });
  const both = joinedBatches(joined, again);
  assert.is(both.length, 2, 'a stream that begins again is no continuation');
  assert.equal(both.reduce<RunModel | undefined>(withBatch, undefined)?.traces.get('ai01')?.v, [7]);
});

test('PAGE-008 an hour of samples keeps a bounded number of points, its peak among them', () => {
  let model: RunModel | undefined;
  for (let part = 0; part < 1000; part++) {
    const t = Array.from({ length: 20 }, (_, i) => part * 1000 + i * 50);
    const v = t.map((at) => (at === 500_000 ? 99 : 1));
    model = withBatch(model, batch(part + 1, [], { ai01: { unit: 'V', t, v } }));
  }
  const { v = [] } = model?.traces.get('ai01') ?? {};
  assert.ok(v.length <= 6000 && v.includes(99), `${v.length} points`);
});

test('limits are drawn only where they have the unit of the values', () => {
  const traces = { AI01: { unit: 'V', t: [1], v: [1] } };
  const model = withBatch(undefined, batch(0, [START, range(1.5, 'passed')], traces));
  assert.equal(limitsOf(model, 'AI01'), [{ low: 1, high: 2, from: 100, to: 100 }]);
  // Over the time in which it was judged, failed or not.
  const longer = withBatch(model, batch(2, [range(3, 'failed'), range(1.5, 'passed')]));
  assert.equal(limitsOf(longer, 'AI01'), [{ low: 1, high: 2, from: 100, to: 300 }]);
  const other = withBatch(
    undefined,
    batch(0, [START, range(1.5, 'passed')], { AI01: { ...traces.AI01, unit: 'mbar' } }),
  );
  assert.equal(limitsOf(other, 'AI01'), []);
});

test.run();
