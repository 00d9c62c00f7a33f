import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { seededRandom } from '../../lib/random/seeded-random.ts';
import { atPlace, type RecordPlace } from '../../test-kit/scenario/sample-run.ts';
import { suite } from '../../test-kit/suite.ts';
import { REMOVED_FILE, removedRuns, removeExpired } from './retention.ts';

const test = suite('retention of records');
const DAY_MS = 86_400_000;
const NOW = Date.UTC(2026, 5, 1);
const daysAgo = (days: number) => NOW - days * DAY_MS;

const left = (place: RecordPlace) => readdirSync(join(place.stateDir, 'runs')).sort();

/** @param synchronised whether a time server had set the clock; null: not known */
async function runAt(place: RecordPlace, days: number, synchronised: boolean | null = true): Promise<string> {
  const { run_id: id } = (await place.run(place.store(), daysAgo(days))).identity;
  place.setSynchronised(id, synchronised);
  return id;
}

test('REC-007 keep_days removes what is older, and never a run that is young, kept, damaged, open or of the future', () =>
  atPlace(async (place) => {
    const old = [await runAt(place, 400), await runAt(place, 91)];
    const young = [await runAt(place, 89), await runAt(place, 1), await runAt(place, -500)];
    const kept = await runAt(place, 401);
    writeFileSync(place.path(kept, 'keep'), '');
    const damaged = await runAt(place, 402);
    writeFileSync(place.path(damaged, 'run'), '{');
    const open = (await place.cutRun(place.store(), () => true)).identity.run_id;
    const { removed, beyondMb } = await removeExpired(place.stateDir, { keepDays: 90 }, NOW);
    assert.equal(removed.map(({ run_id }) => run_id).sort(), [...old].sort());
    assert.is(beyondMb, 0);
    assert.equal(left(place), [...young, kept, damaged, open].sort());
    assert.equal(removedRuns(place.stateDir), removed);
    assert.equal(
      [removed[0]?.rule, removed[0]?.status, (removed[0]?.seal as { run_id?: string } | undefined)?.run_id],
      ['records.keep_days 90', 'failed', removed[0]?.run_id],
    );
  }));

test('REC-007 a run whose clock no time server had set is kept, whatever its date', () =>
  atPlace(async (place) => {
    const kept = [await runAt(place, 400, false), await runAt(place, 4000, null)];
    await runAt(place, 300);
    const { removed } = await removeExpired(place.stateDir, { keepDays: 90, maxMb: 0 }, NOW);
    assert.is(removed.length, 1);
    assert.equal(left(place), kept.sort());
  }));

test('REC-007 a damaged record is kept and reported, and the records beside it are removed', () =>
  atPlace(async (place) => {
    const damaged = await runAt(place, 500);
    writeFileSync(place.path(damaged, 'seal'), '{');
    const linked = await runAt(place, 450);
    symlinkSync('nowhere', place.path(linked, 'torn'));
    const other = await runAt(place, 400);
    const { removed, faults } = await removeExpired(place.stateDir, { keepDays: 90, maxMb: 10 }, NOW);
    assert.equal(removed.map(({ run_id }) => run_id).sort(), [linked, other].sort());
    assert.equal(left(place), [damaged]);
    assert.is(faults.length, 1);
    assert.match(faults[0] ?? '', `${damaged} cannot be removed and stays: `);
    const found = await removeExpired(place.stateDir, { maxMb: 10 }, NOW);
    assert.equal([found.removed, found.faults], [[], []], 'nothing has to go');
  }));

test('REC-007 max_mb removes the oldest until the rest fits, and never what is younger than 30 days', () =>
  atPlace(async (place) => {
    const ids: string[] = [];
    for (const days of [200, 100, 50, 31, 29, 2]) {
      const id = await runAt(place, days);
      ids.push(id);
      appendFileSync(place.path(id, 'torn'), Buffer.alloc(1_000_000));
    }
    const some = await removeExpired(place.stateDir, { maxMb: 5 }, NOW);
    assert.equal([left(place), some.beyondMb], [ids.slice(2).sort(), 0]);
    const most = await removeExpired(place.stateDir, { maxMb: 1 }, NOW);
    assert.equal(left(place), ids.slice(4).sort());
    assert.is(most.beyondMb, 2, 'what has to be kept is reported');
    assert.is(removedRuns(place.stateDir).length, 4);
    assert.equal((await removeExpired(place.stateDir, {}, NOW + 400 * DAY_MS)).removed, []);
  }));

test('REC-007 of 60 seeded stores none loses a run that has to be kept', () =>
  atPlace(async (place) => {
    const template = await runAt(place, 0);
    const text = JSON.parse(readFileSync(place.path(template, 'run'), 'utf8'));
    const random = seededRandom(11);
    for (let n = 0; n < 60; n++) {
      const stateDir = join(place.stateDir, `store-${n}`);
      const keepDays = 30 + Math.floor(random() * 100);
      const mustStay: string[] = [];
      for (let one = 0; one < 8; one++) {
        const id = `r-20250101-000${one}`;
        const directory = join(stateDir, 'runs', id);
        mkdirSync(directory, { recursive: true });
        const days = Math.floor(random() * 200);
        const isKept = random() < 0.2;
        const isOpen = random() < 0.2;
        const file = {
          ...text,
          identity: { ...text.identity, run_id: id, created_at: new Date(daysAgo(days)).toISOString() },
          ending: isOpen ? null : { ...text.ending, ended_at: new Date(daysAgo(days)).toISOString() },
        };
        writeFileSync(join(directory, 'run.json'), JSON.stringify(file));
        if (isKept) writeFileSync(join(directory, 'keep'), '');
        if (isKept || isOpen || days <= keepDays) mustStay.push(id);
      }
      await removeExpired(stateDir, { keepDays }, NOW);
      assert.equal(readdirSync(join(stateDir, 'runs')).sort(), mustStay, `store ${n}, keep_days ${keepDays}`);
      const { beyondMb } = await removeExpired(stateDir, { keepDays, maxMb: 10 }, NOW);
      assert.is(beyondMb, 0);
    }
  }));

test('REC-007 a removal that was cut is completed, and a run is on the list of removed runs once', () =>
  atPlace(async (place) => {
    const cut = join(place.stateDir, 'runs', '.removing-r-20250101-0001');
    mkdirSync(cut, { recursive: true });
    writeFileSync(join(cut, 'result.json'), '{}');
    const id = await runAt(place, 400);
    const line = { run_id: id, scenario: 'sample', rule: 'records.keep_days 90' };
    writeFileSync(join(place.stateDir, REMOVED_FILE), `${JSON.stringify(line)}\n{"run_id": "r-2`);
    appendFileSync(join(place.stateDir, REMOVED_FILE), '\n');
    await removeExpired(place.stateDir, { keepDays: 90 }, NOW);
    assert.not.ok(existsSync(cut));
    assert.equal(
      removedRuns(place.stateDir).map(({ run_id }) => run_id),
      [id],
    );
  }));

test.run();
