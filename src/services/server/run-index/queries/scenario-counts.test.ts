import * as assert from 'uvu/assert';
import { suite } from '../../../../test-kit/suite.ts';
import {
  type Interval,
  type ScenarioStatistics,
  scenarioStatistics,
} from '../../statistics/scenario-statistics.ts';
import { Database } from '../database.ts';
import type { RunFilter } from '../run-filter.ts';
import { createTables } from '../schema.ts';
import { scenarioCounts } from './scenario-counts.ts';

const test = suite('counts of ended runs');
const START = Date.UTC(2025, 0, 15);
const HOUR = 3_600_000;

interface Row {
  position: number;
  serial: string | null;
  status: string;
  retried: number;
  failed_key: number | null;
  failed_text: string | null;
  scenario: string;
  operator: string | null;
}

/** A run of a unit of its own that passed, `n` hours after the first one, unless `more` says otherwise. */
const ended = (n: number, more: Partial<Row> = {}): Row => ({
  ...{ position: n, serial: `SN-${n}`, status: 'passed', retried: 0 },
  ...{ failed_key: null, failed_text: null, scenario: 'leak', operator: null },
  ...more,
});
const failed = (n: number, text: string, serial: string | null): Row =>
  ended(n, { status: 'failed', serial, failed_text: text });

/** Rows of an index, and questions to it. */
function statisticsOf(
  rows: readonly Row[],
  interval: Interval = 'day',
  filter: RunFilter = {},
): ScenarioStatistics {
  const database = new Database(':memory:');
  createTables(database);
  database.run(
    "INSERT INTO keys (id, key, scenario, block, check_name) VALUES (1, 'key of leak', 'leak', 'b', 'c')",
  );
  for (const [n, row] of rows.entries()) {
    const all = {
      ...row,
      ...{ run_id: `r-${row.position}-${n}`, head: '', ended: 1, search: '' },
      started_ms: START + row.position * HOUR,
    };
    const names = Object.keys(all);
    database.run(
      `INSERT INTO runs (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
      ...Object.values(all),
    );
  }
  // Neither of these is an ended run that can be trusted.
  database.run(
    "INSERT INTO runs (run_id, position, head, ended, started_ms, status, serial, search, damaged) VALUES ('d', 0.5, '', 1, 0, 'passed', 'A', '', 'why')",
  );
  database.run(
    "INSERT INTO runs (run_id, position, head, ended, started_ms, serial, search) VALUES ('o', 0.6, '', 0, 0, 'A', '')",
  );
  const statistics = scenarioStatistics(scenarioCounts(database, filter), interval);
  database.close();
  return statistics;
}

test('Pareto: every unit counts once by its first failed run; shares add up to one', () => {
  const { pareto } = statisticsOf([
    failed(4, 'leak', 'B'),
    failed(1, 'leak', 'A'),
    failed(3, 'valve', 'A'),
    failed(2, 'leak', 'A'),
    failed(5, 'valve', null),
  ]);
  assert.equal(
    pareto.map(({ text, count }) => [text, count]),
    [
      ['leak', 2],
      ['valve', 1],
    ],
  );
  assert.is(pareto.at(-1)?.cumulative, 1);
  const many = Array.from({ length: 30 }, (_, n) => failed(n, `check ${n}`, null));
  const bars = statisticsOf(many).pareto;
  assert.equal([bars.length, bars.at(-1)?.text, bars.at(-1)?.count], [21, 'other', 10]);
});

test('Pareto: judged values that failed are one bar by their key, whatever text each has; no text is unknown', () => {
  const { pareto } = statisticsOf([
    ended(1, { status: 'failed', failed_key: 1, failed_text: '1.2 bar' }),
    ended(2, { status: 'failed', failed_key: 1, failed_text: '1.3 bar' }),
    ended(3, { status: 'failed' }),
  ]);
  assert.equal(pareto, [
    { key: 'key of leak', text: '1.2 bar', count: 2, cumulative: 2 / 3 },
    { key: null, text: 'unknown', count: 1, cumulative: 1 },
  ]);
});

test('yield over days, weeks and months; errors and aborted runs are in no yield', () => {
  const runs = [ended(0), ended(1, { status: 'failed' }), ended(2, { status: 'error' }), ended(24 * 20)];
  const days = statisticsOf(runs);
  assert.equal(
    days.over_time.map(({ from, runs: count, yield: part }) => [from, count, part]),
    [
      ['2025-01-15', 3, 0.5],
      ['2025-02-04', 1, 1],
    ],
  );
  assert.equal(days.by_status, { passed: 2, failed: 1, error: 1 });
  assert.equal([days.runs, days.passed, days.failed, days.not_judged, days.yield], [4, 2, 1, 1, 2 / 3]);
  const firstDays = (interval: Interval) => statisticsOf(runs, interval).over_time.map(({ from }) => from);
  assert.equal(firstDays('week'), ['2025-01-13', '2025-02-03'], 'weeks begin on Monday');
  assert.equal(firstDays('month'), ['2025-01-01', '2025-02-01']);
});

test("REC-006 first-pass yield of many runs counts a unit's first judged run, also where the selection lacks it", () => {
  const runs = [
    ended(1, { serial: 'A', status: 'error' }),
    ended(2, { serial: 'A', status: 'failed' }),
    ended(3, { serial: 'A', operator: 'Ida' }),
    ended(4, { serial: 'B', operator: 'Ida', retried: 1 }),
    ended(5, { serial: 'C', operator: 'Ida' }),
    ended(6, { serial: null, operator: 'Ida' }),
    ended(7, { serial: 'C', scenario: 'other', status: 'failed' }),
  ];
  assert.equal(statisticsOf(runs).first_pass, {
    ...{ units: 3, passed: 1, yield: 1 / 3, runs_without_serial: 1 },
  });
  const ofIda = statisticsOf(runs, 'day', { operator: 'Ida' });
  assert.is(ofIda.passed, 4);
  assert.equal(ofIda.first_pass, { units: 2, passed: 1, yield: 1 / 2, runs_without_serial: 1 });
  const other = statisticsOf(runs, 'day', { scenario: 'other' });
  assert.equal(other.first_pass, { units: 1, passed: 0, yield: 0, runs_without_serial: 0 });
});

test('units by their latest run, with first and last status', () => {
  const { units, units_total } = statisticsOf([
    ended(1, { serial: 'A', status: 'failed' }),
    ended(2, { serial: 'B' }),
    ended(3, { serial: 'A' }),
    ended(4, { serial: null }),
  ]);
  assert.is(units_total, 2);
  assert.equal(units, [
    {
      ...{ unit_under_test: 'A', runs: 2, first_status: 'failed', last_status: 'passed' },
      ...{ last_run_id: 'r-3-2', last_at: '2025-01-15T03:00:00.000Z' },
    },
    {
      ...{ unit_under_test: 'B', runs: 1, first_status: 'passed', last_status: 'passed' },
      ...{ last_run_id: 'r-2-1', last_at: '2025-01-15T02:00:00.000Z' },
    },
  ]);
});

test.run();
