import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  existsSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { seededRandom } from '../../../lib/random/seeded-random.ts';
import { KEY_FILE, rigKeyOf } from '../../../scenario/records/rig-key.ts';
import type { RunFile } from '../../../scenario/records/run-file.ts';
import type { RunStore } from '../../../scenario/records/run-store.ts';
import { AT, atPlace, factsOf, type RecordPlace, SCENARIO } from '../../../test-kit/scenario/sample-run.ts';
import { removeSeal } from '../../../test-kit/scenario/tampering.ts';
import { suite } from '../../../test-kit/suite.ts';
import { answer } from './answer.ts';
import { Database } from './database.ts';
import { INDEX_FILE } from './open-index.ts';
import { endedBeforeIn } from './queries/ended-before.ts';
import { listDirectories } from './queries/list-directories.ts';
import type { ListQuestion, RunList, RunSort } from './queries/list-runs.ts';
import type { RunFilter } from './run-filter.ts';
import { RunIndex } from './run-index.ts';

const test = suite('the index of the records');

/** Opens the index of a place; the caller's test closes it with the place. */
function openAt(place: RecordPlace, monotonicMs = () => performance.now()) {
  const reports: string[] = [];
  const index = new RunIndex({ stateDir: place.stateDir, monotonicMs, report: (line) => reports.push(line) });
  return { index, reports };
}

const question = (filter: RunFilter = {}, limit = 1000, before?: string): ListQuestion => ({
  ...{ filter, limit, before },
  live: {},
});

const idsOf = ({ runs }: RunList): string[] =>
  runs.map((run) => ('file' in run ? run.file.identity.run_id : `damaged ${run.damaged.run_id}`));

const listed = async (index: RunIndex, filter?: RunFilter): Promise<string[]> =>
  idsOf(await answer(index, 'list', question(filter)));

/** Sums up what lists and statistics show, for comparison. */
async function shown(index: RunIndex) {
  const list = await answer(index, 'list', question());
  const keys = await answer(index, 'keys', { hardware: 'mock' });
  const scenarios = await answer(index, 'scenarios', { filter: { hardware: 'mock' }, interval: 'day' });
  return JSON.stringify({ list, keys, scenarios });
}

const pathOf = (place: RecordPlace) => join(place.stateDir, INDEX_FILE);

async function threeRuns(place: RecordPlace): Promise<RunFile[]> {
  const store = place.store();
  return [await place.run(store), await place.run(store), await place.run(store)];
}

for (const [what, harm] of [
  ['deleted', (path: string) => rmSync(path)],
  ['truncated to half', (path: string) => truncateSync(path, readFileSync(path).length / 2)],
  ['truncated to nothing', (path: string) => truncateSync(path, 0)],
  ['overwritten by text', (path: string) => writeFileSync(path, 'no database\n'.repeat(1000))],
  ['of another version', (path: string) => change(path, 'PRAGMA user_version = 999')],
  ['of another program', (path: string) => change(path, 'PRAGMA application_id = 1')],
  ['without one of its tables', (path: string) => change(path, 'DROP TABLE measurements')],
] as const)
  test(`REC-005 an index that is ${what} is made again at the next start, and shows the same`, () =>
    atPlace(async (place) => {
      await threeRuns(place);
      const first = openAt(place);
      const before = await shown(first.index);
      assert.match(before, /"count":3/);
      first.index.close();
      harm(pathOf(place));
      const { index } = openAt(place);
      assert.is(await shown(index), before);
      index.close();
    }));

function change(path: string, sql: string): void {
  const database = new Database(path);
  database.execute(sql);
  database.close();
}

test('REC-005 an index that is damaged or replaced while it is open is made again without a restart', () =>
  atPlace(async (place) => {
    await threeRuns(place);
    const { index, reports } = openAt(place);
    const before = await shown(index);
    renameSync(pathOf(place), join(place.stateDir, 'moved'));
    assert.is(await shown(index), before);
    assert.match(reports.join('\n'), /was replaced by another process/);
    index.close();
  }));

test('REC-005 while another process has the file locked, the index refuses; afterwards it answers again', () =>
  atPlace(async (place) => {
    await threeRuns(place);
    const { index } = openAt(place);
    const before = await shown(index);
    index.close();
    const holder = await lockHolder(pathOf(place));
    let nowMs = 0;
    const second = openAt(place, () => nowMs);
    const refused = await answer(second.index, 'list', question()).catch((error: Error) => error);
    assert.match(String(refused), /IndexError: .*is locked by another process/);
    const instead = await listDirectories(place.stateDir, question());
    assert.is(instead.runs.length, 3);
    holder.child.kill('SIGKILL');
    await holder.ended;
    nowMs = 5000;
    assert.is(await shown(second.index), before);
    second.index.close();
  }));

/** A process that holds a SQLite file exclusively until it is killed. */
async function lockHolder(path: string) {
  const program = `const Database = require('libsql');
    const database = new Database(${JSON.stringify(path)});
    database.pragma('locking_mode = EXCLUSIVE');
    database.exec('BEGIN EXCLUSIVE');
    console.log('locked');
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'close');
  await once(child.stdout, 'data');
  return { child, ended };
}

test('a run is in lists when it begins, and in statistics when it has ended, without a restart', () =>
  atPlace(async (place) => {
    const store = place.store();
    const { index } = openAt(place);
    assert.equal(await listed(index), []);
    const cut = await place.cutRun(store, () => true);
    const id = cut.identity.run_id;
    assert.equal(await listed(index), [id]);
    assert.equal(await listed(index, { status: 'aborted' }), [id]);
    assert.equal((await answer(index, 'keys', {})).measurements, []);
    await store.recover(cut, AT);
    assert.equal(await listed(index, { status: 'failed' }), [id]);
    const { measurements } = await answer(index, 'keys', { hardware: 'mock' });
    assert.equal(
      measurements.map(({ block, sensor, failed, low, high, unit }) => [
        block,
        sensor,
        failed,
        low,
        high,
        unit,
      ]),
      [['Fails', 'AI01', 1, 2, null, 'V']],
    );
    index.close();
  }));

test('PAGE-001 a list is in the order asked for, runs without that text last, also over its pages', () =>
  atPlace(async (place) => {
    const store = place.store();
    const ids: string[] = [];
    for (const unit of ['B', null, 'A', 'B', 'a'])
      ids.push((await place.run(store, AT, { unit_under_test: unit })).identity.run_id);
    const { index } = openAt(place);
    const [b1, none, a, b2, small] = ids as [string, string, string, string, string];
    const sorted = async (sort: RunSort, limit: number): Promise<string[]> => {
      const all: string[] = [];
      let before: string | undefined;
      do {
        const list = await answer(index, 'list', { ...question({}, limit, before), sort });
        all.push(...idsOf(list));
        before = list.next ?? undefined;
      } while (before !== undefined);
      return all;
    };
    for (const limit of [1, 2, 1000]) {
      assert.equal(await sorted('serial', limit), [a, b1, b2, small, none], `${limit} a page`);
      assert.equal(await sorted('oldest', limit), [b1, none, a, b2, small]);
      assert.equal(await sorted('newest', limit), [small, b2, a, none, b1]);
    }
    index.close();
  }));

test('PAGE-001 runs are found by the text of their scenario, by their rig and by what failed first', () =>
  atPlace(async (place) => {
    const store = place.store();
    const scenario = { id: 'sample', file: 'sample.oql', sha256: 'ab', includes: [] };
    const one = await place.run(store);
    const other = await place.run(store, AT, { scenario: { ...scenario, sha256: 'cd' } });
    const { index } = openAt(place);
    const rig = one.identity.station?.rig_id ?? '';
    const key = (await answer(index, 'scenarios', { filter: {}, interval: 'day' })).statistics.pareto[0]?.key;
    assert.type(key, 'string');
    assert.equal(await listed(index, { version: 'cd' }), [other.identity.run_id]);
    assert.is((await listed(index, { rig })).length, 2);
    assert.equal(await listed(index, { rig: 'rig-of-nobody' }), []);
    assert.is((await listed(index, { failed: key ?? '' })).length, 2);
    assert.equal(await listed(index, { failed: 'another key' }), []);
    const { origins } = await answer(index, 'scenarios', {
      filter: { scenario: 'sample', version: 'cd' },
      interval: 'day',
    });
    assert.equal(origins.versions.map(({ version, runs }) => `${version} ${runs}`).sort(), ['ab 1', 'cd 1']);
    assert.equal(origins.rigs, [{ rig, runs: 1 }]);
    const latest = await place.run(store);
    assert.is(
      (await listed(index, { failed: key ?? '' }))[0],
      latest.identity.run_id,
      'its events are read first',
    );
    index.close();
  }));

test('a live run has the status of its process, and is found by it', () =>
  atPlace(async (place) => {
    const store = place.store();
    const run = await place.cutRun(store, () => true);
    const id = run.identity.run_id;
    const { index } = openAt(place);
    const live = { [id]: 'running' };
    const statuses = ['running', 'aborted', 'failed'];
    const found = statuses.map(async (status) =>
      idsOf(await answer(index, 'list', { ...question({ status }), live })),
    );
    assert.equal(await Promise.all(found), [[id], [], []]);
    index.close();
  }));

test('a record that is removed leaves lists and statistics', () =>
  atPlace(async (place) => {
    const [first] = await threeRuns(place);
    const { index } = openAt(place);
    await shown(index);
    rmSync(join(place.stateDir, 'runs', String(first?.identity.run_id)), { recursive: true });
    assert.is((await listed(index)).length, 2);
    assert.is((await answer(index, 'keys', { hardware: 'mock' })).measurements[0]?.count, 2);
    index.close();
  }));

test('a record that is damaged while the index is open is listed as damaged, with its reason, and is in no statistics', () =>
  atPlace(async (place) => {
    const [first, second] = await threeRuns(place);
    const { index } = openAt(place);
    await shown(index);
    const [one, two] = [String(first?.identity.run_id), String(second?.identity.run_id)];
    writeFileSync(place.path(one, 'run'), '{"schema_version":1');
    appendFileSync(place.path(two, 'events'), '{"seq":0}\n');
    const lines = place.lines(two);
    place.setLines(two, [...lines.slice(0, 2), ...lines.slice(3)]);
    const { runs } = await answer(index, 'list', question());
    const damaged = runs.flatMap((run) => ('damaged' in run ? [run.damaged] : []));
    assert.equal(
      damaged.map(({ run_id }) => run_id),
      [two, one],
      'each at its place in the order',
    );
    assert.match(String(damaged[0]?.reason), /events\.ndjson line 3: its number is 3, expected 2/);
    assert.match(String(damaged[1]?.reason), /run\.json is not a record of a run/);
    const { measurements, damaged: count } = await answer(index, 'keys', { hardware: 'mock' });
    assert.equal([measurements[0]?.count, count], [1, 2]);
    index.close();
    const again = openAt(place);
    assert.equal(await listed(again.index), ['r-20250115-0003', `damaged ${two}`, `damaged ${one}`]);
    assert.equal(await listed(again.index, { status: 'aborted' }), [], 'a damaged record has no status');
    place.setLines(two, lines.slice(0, -1));
    assert.equal(await listed(again.index), ['r-20250115-0003', two, `damaged ${one}`], 'as it was written');
    assert.is((await answer(again.index, 'keys', { hardware: 'mock' })).measurements[0]?.count, 2);
    again.index.close();
  }));

test('REC-005 a record that is removed while the file is locked leaves the lists when it is free again', () =>
  atPlace(async (place) => {
    const [first] = await threeRuns(place);
    const { index } = openAt(place);
    await shown(index);
    const holder = await lockHolder(pathOf(place));
    rmSync(join(place.stateDir, 'runs', String(first?.identity.run_id)), { recursive: true });
    assert.match(String(await answer(index, 'list', question()).catch((error: Error) => error)), /is locked/);
    holder.child.kill('SIGKILL');
    await holder.ended;
    assert.is((await listed(index)).length, 2);
    index.close();
  }));

test('REC-005 what happens while no index is open is in it after the next start', () =>
  atPlace(async (place) => {
    const store = place.store();
    const cut = await place.cutRun(store, () => true);
    const { index } = openAt(place);
    await shown(index);
    index.close();
    await store.recover(cut, AT);
    await place.run(store);
    const fresh = openAt(place);
    const kept = await shown(fresh.index);
    fresh.index.rebuild();
    assert.is(await shown(fresh.index), kept, 'the same as one that is made from nothing');
    fresh.index.close();
  }));

const states = async (list: Promise<RunList>): Promise<string[]> =>
  (await list).runs.map((run) =>
    'file' in run ? `${run.seal}` : `damaged ${run.damaged.seal}: ${run.damaged.reason}`,
  );
const NO_SEAL = /^damaged unsealed: .*NOT SEALED/;

test('REC-003 a run that the index has as ended stays NOT SEALED when its ending and its seal are removed', () =>
  atPlace(async (place) => {
    const { identity, ...rest } = await place.run(place.store());
    const id = identity.run_id;
    const directory = join(place.stateDir, 'runs', id);
    const { index } = openAt(place);
    assert.equal(await states(answer(index, 'list', question())), ['sealed']);
    // Not even when the record is away for a moment.
    renameSync(directory, join(place.stateDir, 'away'));
    assert.equal(await listed(index), []);
    renameSync(join(place.stateDir, 'away'), directory);
    const open = { ...rest, identity, ending: null, events: null };
    writeFileSync(place.path(id, 'run'), JSON.stringify(open));
    assert.match(
      (await states(answer(index, 'list', question())))[0] ?? '',
      /^damaged tampered: run\.json: its ending was removed/,
    );
    rmSync(place.path(id, 'seal'));
    place.setLines(id, place.lines(id).slice(0, 3));
    writeFileSync(place.path(id, 'run'), JSON.stringify(open, null, 1));
    for (const one of [index, openAt(place).index]) {
      assert.match((await states(answer(one, 'list', question())))[0] ?? '', NO_SEAL);
      assert.match((await answer(one, 'seal', id))?.seal ?? '', 'unsealed');
      const { unended, damaged } = await answer(one, 'summary', null);
      assert.equal([unended, damaged.length], [[], 1]);
      assert.equal(await answer(one, 'ended', [id, 'r-20250115-0099']), [id]);
      one.close();
    }
    assert.equal(endedBeforeIn(place.stateDir, [id]), [id]);
  }));

const REMOVALS = 1000;

test(
  `REC-003 ${REMOVALS} of ${REMOVALS} removals of the seal, with a change in every file of a record, are listed as faults`,
  () =>
    atPlace(async (place) => {
      await threeRuns(place);
      const root = join(place.stateDir, 'runs');
      let { index } = openAt(place);
      await shown(index);
      const random = seededRandom(11);
      const kinds = new Set<string>();
      for (let n = 0; n < REMOVALS; n++) {
        const { what, runs, undo } = removeSeal(root, random);
        kinds.add(what.replace(/ of r-\d+-\d+/, ''));
        // As a start of the server finds it.
        if (n % 4 === 0) {
          index.close();
          index = openAt(place).index;
        }
        const [id = ''] = runs;
        const faults = (await states(answer(index, 'list', question()))).filter((one) => one !== 'sealed');
        assert.is(faults.length, 1, `${n}: ${what}`);
        assert.match(faults[0] ?? '', /^damaged (unsealed|tampered): /, `${n}: ${what}`);
        assert.equal((await answer(index, 'summary', null)).unended, [], `${n}: ${what}`);
        assert.is((await answer(index, 'keys', { hardware: 'mock' })).measurements[0]?.count, 2, what);
        assert.equal(await answer(index, 'ended', [id]), [id]);
        undo();
      }
      assert.equal(await states(answer(index, 'list', question())), ['sealed', 'sealed', 'sealed']);
      assert.is(kinds.size, 7 * 4, 'each kind with each file');
      index.close();
    }),
  { timeoutMs: 600_000 },
);

test('REC-003 every record is judged anew when the accepted keys change, also while the index is open', () =>
  atPlace(async (place) => {
    const { identity } = await place.run(place.store());
    const { index } = openAt(place);
    const judged = async (one = index) => [
      await states(answer(one, 'list', question())),
      (await answer(one, 'keys', { hardware: 'mock' })).measurements.length,
    ];
    assert.equal(await judged(), [['sealed'], 1]);
    const key = join(place.stateDir, KEY_FILE);
    const own = readFileSync(key);
    rmSync(key);
    assert.equal(await judged(), [['sealed'], 1], 'without a key by the one before');
    rigKeyOf(place.stateDir);
    const [[state] = [], measurements] = (await judged()) as [string[], number];
    assert.match(state ?? '', /^damaged tampered: .*which is not accepted/);
    assert.is(measurements, 0);
    writeFileSync(join(place.stateDir, 'accepted-keys'), `${identity.key?.fingerprint}\n`);
    assert.equal(await judged(), [['sealed'], 1]);
    index.close();
    rmSync(join(place.stateDir, 'accepted-keys'));
    const later = openAt(place).index;
    assert.is((await judged(later))[1], 0, 'changed while no index was open');
    writeFileSync(key, own);
    assert.equal(await judged(later), [['sealed'], 1]);
    later.close();
  }));

test('REC-003 a list from the directories shows no verdict that was not compared with its seal', () =>
  atPlace(async (place) => {
    const [first, second] = await threeRuns(place);
    await place.cutRun(place.store(), () => true);
    const id = first?.identity.run_id ?? '';
    writeFileSync(place.path(id, 'result'), '{"ok":true}');
    rmSync(place.path(second?.identity.run_id ?? '', 'seal'));
    const [open, third, unsealed, changed] = await states(listDirectories(place.stateDir, question()));
    assert.equal([open, third], ['open', 'sealed']);
    assert.match(unsealed ?? '', NO_SEAL);
    assert.match(changed ?? '', /^damaged tampered: .*result\.json: it was changed/);
  }));

/** Runs of several units, scenarios and endings. */
async function variedRuns(store: RunStore): Promise<void> {
  for (let n = 0; n < 24; n++) {
    const facts = factsOf({
      scenario: { id: n % 3 === 0 ? 'masks/leak' : 'sample', file: 'x.oql', sha256: 'ab', includes: [] },
      unit_under_test: n % 4 === 0 ? null : `SN 100%_${n % 4}`,
      part: n % 2 === 0 ? 'P-1' : 'P-2',
      batch: `B${n % 5}`,
      operator: n % 2 === 0 ? 'Żaneta' : 'Anna',
      mode: n % 6 === 5 ? 'dry-run' : 'execute',
      hardware_mode: n % 7 === 6 ? 'mock' : 'real',
    });
    const at = AT + n * 3_600_000;
    const writer = store.create(facts, Buffer.from(SCENARIO), at);
    if (n % 8 === 7) continue;
    const ending = {
      status: (['passed', 'failed', 'error'] as const)[n % 3] ?? 'error',
      ok: n % 3 === 0,
      ...{ passed: 0, total: 0, errors: [], variables: {}, safe_state: null },
      started_at: new Date(at).toISOString(),
      ended_at: new Date(at + 1000).toISOString(),
      simulated: n % 5 === 4,
      bench: n % 4 === 3,
    };
    const run = {
      ok: false,
      outcome: 'passed',
      judged: true,
      source: '',
      startedAt: '',
      durationMs: 0,
    } as const;
    const empty = { goals: [], events: [], diagnostics: [], variables: {}, samples: [], exports: {} };
    writer.end(ending, { ...run, ...empty, simulated: false, bench: false, passed: 0, total: 0 });
  }
}

const FILTERS: RunFilter[] = [
  {},
  { status: 'passed' },
  { status: 'aborted' },
  { scenario: 'masks/leak' },
  { serial: 'SN 100%_1' },
  { part: 'P-2', batch: 'B1' },
  { operator: 'Żaneta', hardware: 'real' },
  { hardware: 'bench' },
  { hardware: 'mock' },
  { sinceMs: AT + 5 * 3_600_000, untilMs: AT + 9 * 3_600_000 },
  { search: 'żANETA' },
  { search: '100%_' },
  { search: "'; DROP TABLE runs; --" },
  { search: 'r-20250115' },
];

test('every filter finds the same runs in the index and in the directories, in parts of any size', () =>
  atPlace(async (place) => {
    await variedRuns(place.store());
    const { index } = openAt(place);
    for (const filter of FILTERS) {
      const whole = await listed(index, filter);
      const name = JSON.stringify(filter);
      assert.equal(idsOf(await listDirectories(place.stateDir, question(filter))), whole, name);
      for (const from of ['index', 'directories'] as const) {
        const parts: string[] = [];
        for (let before: string | undefined | null; before !== null; ) {
          const part = question(filter, 5, before);
          const list: RunList =
            from === 'index'
              ? await answer(index, 'list', part)
              : await listDirectories(place.stateDir, part);
          parts.push(...idsOf(list));
          before = list.next;
        }
        assert.equal(parts, whole, `${name} from the ${from}`);
      }
    }
    assert.is((await listed(index, FILTERS[4])).length, 6);
    assert.is((await listed(index, FILTERS[10])).length, 12);
    assert.ok(existsSync(pathOf(place)));
    index.close();
  }));

test.run();
