import * as assert from 'uvu/assert';
import { suite } from '../../../test-kit/suite.ts';
import type { Capability } from './capability.ts';
import { type MeasuredRow, measuredRuns } from './measured-row.ts';
import { measurementStatistics } from './measurement-statistics.ts';

const test = suite('statistics of runs');
const START = Date.UTC(2025, 0, 15);
const HOUR = 3_600_000;

/** Rows of successive runs, each of its own unit unless `serial` says otherwise. */
const row = (n: number, more: Partial<MeasuredRow> = {}): MeasuredRow => ({
  runId: `r-${n}`,
  position: n,
  serial: `SN-${n}`,
  atMs: START + n * HOUR,
  value: 2 + (n % 5) / 10,
  unit: 'V',
  low: 1,
  high: 3,
  outcome: 'passed',
  attempt: 1,
  entry: 1,
  ...more,
});

const rows = (count: number, more: (n: number) => Partial<MeasuredRow> = () => ({})): MeasuredRow[] =>
  Array.from({ length: count }, (_, n) => row(n, more(n)));

const ask = { points: 1000 };

test('REC-006 changed limits: an index for each pair of limits, none across, and every point with the limits of its time', () => {
  const changed = rows(60, (n) => (n < 30 ? {} : { low: 1.5, high: null }));
  const { limits, chart } = measurementStatistics(changed, ask);
  assert.equal(
    limits.map(({ low, high, count, capability }) => [low, high, count, capability?.sides]),
    [
      [1, 3, 30, 'both'],
      [1.5, null, 30, 'low'],
    ],
  );
  assert.equal([chart.points[29]?.high, chart.points[30]?.high], [3, null]);
  const back = measurementStatistics([...changed, row(60)], ask);
  assert.equal(
    back.limits.map(({ count }) => count),
    [31, 30],
    'limits that come again belong to their group',
  );
});

test('REC-006 units are never mixed: the newest is shown, the others are listed', () => {
  const mixed = rows(40, (n) => (n < 30 ? { unit: 'V' } : { unit: 'mV', value: 2000 + n }));
  const found = measurementStatistics(mixed, ask);
  assert.equal(found.units, [
    { unit: 'V', count: 30 },
    { unit: 'mV', count: 10 },
  ]);
  assert.equal([found.unit, found.values.count, found.values.min], ['mV', 10, 2030]);
  const other = measurementStatistics(mixed, { ...ask, unit: 'V' });
  assert.equal([other.unit, other.values.count, other.values.max], ['V', 30, 2.4]);
  assert.is(measurementStatistics(mixed, { ...ask, unit: 'bar' }).values.count, 0);
});

test('REC-006 too few values: caution below 30, no control limits below 20, no drift below three', () => {
  const caution = (count: number) =>
    (measurementStatistics(rows(count), ask).limits[0]?.capability as Capability | null)?.caution;
  assert.equal([caution(1), caution(2), caution(29), caution(30)], [undefined, true, true, false]);
  const few = measurementStatistics(rows(19), ask);
  assert.equal([few.control_limits, few.rules_broken], [null, null]);
  assert.is(measurementStatistics(rows(20), ask).control_limits?.based_on, 20);
  assert.is(measurementStatistics(rows(2), ask).drift, null);
  const none = measurementStatistics([], ask);
  assert.equal([none.values.count, none.values.mean, none.yield, none.limits], [0, null, null, []]);
});

test('REC-006 a failure of a goal that was entered again counts beside its later pass', () => {
  const [run] = measuredRuns([
    row(1, { attempt: 1, entry: 1, value: 9, outcome: 'failed' }),
    row(1, { attempt: 2, entry: 2, value: 2 }),
  ]);
  assert.equal([run?.verdict, run?.counted.length, run?.superseded.length], ['failed', 2, 0]);
});

test('REC-006 a retry: the last attempt counts, the values before are shown apart, and it is no first pass', () => {
  const retried = [
    row(1, { attempt: 1, value: 9, outcome: 'failed' }),
    row(1, { attempt: 2, value: 2 }),
    row(2, { value: 2.2 }),
  ];
  const found = measurementStatistics(retried, ask);
  assert.equal(found.retries, { runs: 1, values: 1 });
  assert.equal([found.values.max, found.passed, found.failed, found.yield], [2.2, 2, 0, 1]);
  assert.equal(found.first_pass, { units: 2, passed: 1, yield: 0.5, runs_without_serial: 0 });
});

test("REC-006 first-pass yield counts a unit's first judged run, and says what it cannot know", () => {
  const runs = [
    row(1, { serial: 'A', outcome: 'error', value: null }),
    row(2, { serial: 'A', outcome: 'failed', value: 9 }),
    row(3, { serial: 'A' }),
    row(4, { serial: 'B' }),
    row(5, { serial: null }),
  ];
  const found = measurementStatistics(runs, ask);
  assert.equal([found.runs, found.passed, found.failed, found.not_judged], [5, 3, 1, 1]);
  assert.equal(found.first_pass, { units: 2, passed: 1, yield: 0.5, runs_without_serial: 1 });
  const selection = runs.slice(2);
  const firstRuns = new Map([
    ['A', 2],
    ['B', 4],
  ]);
  assert.equal(
    measurementStatistics(selection, { ...ask, firstRuns }).first_pass,
    { units: 1, passed: 1, yield: 1, runs_without_serial: 1 },
    'the retest of a unit whose first run is not selected is no first pass',
  );
});

test('REC-006 a chart has its newest points, with rules that were judged on all', () => {
  const jump = rows(40, (n) => (n < 30 ? {} : { value: 9, outcome: 'failed' }));
  const { chart, rules_broken } = measurementStatistics(jump, { points: 5 });
  assert.equal([chart.total, chart.points.length, chart.points[0]?.run_id], [40, 5, 'r-35']);
  assert.equal(chart.points.at(-1)?.rules, [1, 2, 3, 4]);
  assert.is(rules_broken?.['1'], 10);
  const base = { sinceMs: START + 30 * HOUR, untilMs: START + 40 * HOUR };
  assert.is(measurementStatistics(jump, { points: 5, base }).control_limits, null, 'ten values are too few');
});

test.run();
