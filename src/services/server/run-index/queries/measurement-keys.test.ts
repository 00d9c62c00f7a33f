import * as assert from 'uvu/assert';
import { seededRandom } from '../../../../lib/random/seeded-random.ts';
import { suite } from '../../../../test-kit/suite.ts';
import { Database } from '../database.ts';
import type { RunFilter } from '../run-filter.ts';
import { createTables } from '../schema.ts';
import { measurementKeys } from './measurement-keys.ts';

const test = suite('measurements of a selection of runs');

interface Run {
  id: number;
  run_id: string;
  damaged: string | null;
  started_ms: number;
  hardware: string | null;
  scenario: string | null;
  serial: string | null;
  operator: string | null;
}

interface Value {
  key: number;
  run: number;
  limits: number;
  outcome: string;
  at_ms: number;
}

/** Rows in which every text may be missing, and every run damaged. */
function randomRows(seed: number): { runs: Run[]; values: Value[] } {
  const random = seededRandom(seed);
  const one = <T>(...of: T[]): T => of[Math.floor(random() * of.length)]!;
  const runs = Array.from(
    { length: 60 },
    (_, at): Run => ({
      ...{ id: 100 - at, run_id: `r-${at}`, damaged: one(null, null, null, 'why'), started_ms: one(1, 2, 3) },
      ...{ hardware: one('real', 'mock', null), scenario: one('leak', 'flow', null) },
      ...{ serial: one('A', 'B', null), operator: one('Ida', null) },
    }),
  );
  const values = Array.from({ length: 300 }, (_, at) => ({
    ...{ key: one(1, 2, 3), run: one(...runs).id, limits: one(1, 2) },
    ...{ outcome: one('passed', 'failed', 'skipped'), at_ms: (at * 7919) % 1009 },
  }));
  return { runs, values };
}

function indexOf({ runs, values }: ReturnType<typeof randomRows>): Database {
  const database = new Database(':memory:');
  createTables(database);
  const insert = (table: string, row: object) =>
    database.run(
      `INSERT INTO ${table} (${Object.keys(row).join(', ')}) VALUES (${Object.keys(row)
        .map(() => '?')
        .join(', ')})`,
      ...(Object.values(row) as (string | number | null)[]),
    );
  for (const id of [1, 2, 3])
    insert('keys', { id, key: `key ${id}`, scenario: 'leak', block: 'b', check_name: `check ${id}` });
  for (const id of [1, 2]) insert('limits', { id, spec: JSON.stringify(['V', id, null]) });
  for (const run of runs)
    insert('runs', { ...run, position: run.id, head: '', ended: 1, search: run.run_id });
  values.forEach((value, n) => {
    insert('measurements', { ...value, n, attempt: 1, entry: n });
  });
  return database;
}

const FILTERS: RunFilter[] = [
  {},
  { hardware: 'real' },
  { scenario: 'leak' },
  { scenario: 'none' },
  { sinceMs: 2 },
  { untilMs: 2 },
  { hardware: 'mock', scenario: 'flow', sinceMs: 1, untilMs: 3 },
  { serial: 'A' },
  { serial: 'A', hardware: 'real' },
  { serial: 'none' },
  { operator: 'Ida' },
  { search: 'r-1' },
];

/** In the words of this language. */
function counted({ runs, values }: ReturnType<typeof randomRows>, filter: RunFilter) {
  const chosen = new Map(
    runs
      .filter(
        (run) =>
          run.damaged === null &&
          (['hardware', 'scenario', 'serial', 'operator'] as const).every(
            (name) => filter[name] === undefined || run[name] === filter[name],
          ) &&
          run.started_ms >= (filter.sinceMs ?? 0) &&
          run.started_ms < (filter.untilMs ?? 9) &&
          run.run_id.includes(filter.search ?? ''),
      )
      .map((run) => [run.id, run.run_id]),
  );
  return [1, 2, 3].flatMap((key) => {
    const of = values.filter((value) => value.key === key && chosen.has(value.run));
    const last = of.toSorted((a, b) => a.at_ms - b.at_ms).at(-1);
    if (!last) return [];
    const amount = (outcome: string) => of.filter((value) => value.outcome === outcome).length;
    return {
      ...{ key: `key ${key}`, count: of.length, passed: amount('passed'), failed: amount('failed') },
      ...{ last_run_id: chosen.get(last.run), low: last.limits },
    };
  });
}

test('REC-009 the values of every selection are counted as one by one, also where texts are missing and records damaged', () => {
  for (let seed = 1; seed <= 10; seed++) {
    const rows = randomRows(seed);
    const database = indexOf(rows);
    for (const filter of FILTERS) {
      const found = measurementKeys(database, filter).map(
        ({ key, count, passed, failed, last_run_id, low }) => ({
          key,
          count,
          passed,
          failed,
          last_run_id,
          low,
        }),
      );
      assert.equal(found, counted(rows, filter), `${seed} ${JSON.stringify(filter)}`);
    }
    database.close();
  }
});

test.run();
