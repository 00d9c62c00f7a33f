import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { seededRandom } from '../../lib/random/seeded-random.ts';
import {
  AT,
  atPlace,
  dryRun,
  type RecordPlace,
  SCENARIO,
  there,
} from '../../test-kit/scenario/sample-run.ts';
import { tamper } from '../../test-kit/scenario/tampering.ts';
import { suite } from '../../test-kit/suite.ts';
import type { RunEvent } from '../events/event.ts';
import { anchorOf, EventChain } from './event-chain.ts';
import { RecordError } from './record-error.ts';
import { KEY_FILE, rigKeyOf } from './rig-key.ts';
import type { RunFile } from './run-file.ts';
import { verifyRecord } from './verify-record.ts';

const test = suite('tampering with records');

const TAMPERINGS = 1000;

async function fourRuns(place: RecordPlace): Promise<string[]> {
  const store = place.store();
  const ids: string[] = [];
  for (let n = 0; n < 3; n++) ids.push((await place.run(store)).identity.run_id);
  const cut = await place.cutRun(store, (event) => event.goal === null || event.goal === 0);
  await place.store().recover(cut, Date.UTC(2025, 0, 16));
  return [...ids, cut.identity.run_id];
}

test(`REC-003 ${TAMPERINGS} of ${TAMPERINGS} seeded tamperings in every file of a record are found, with file and line`, () =>
  atPlace(async (place) => {
    const ids = await fourRuns(place);
    const root = join(place.stateDir, 'runs');
    const verify = (id: string) => verifyRecord(join(root, id));
    const random = seededRandom(3);
    const files = new Set<string>();
    for (let n = 0; n < TAMPERINGS; n++) {
      const { what, runs, file, line, undo } = tamper(root, random);
      files.add(file);
      for (const run of runs) {
        const { status, faults } = await verify(run);
        const isRemoved = what.startsWith('delete the file') && file === 'seal.json';
        assert.is(status, isRemoved ? 'unsealed' : 'tampered', `${n}: ${what}`);
        assert.ok(faults.length > 0, what);
        const named = faults.find((fault) => fault.line !== null);
        if (line === null) continue;
        const told = `${n}: ${what}, line ${line}: ${JSON.stringify(faults)}`;
        assert.ok(named?.file === file, told);
        assert.ok(named.line === line || named.line === line + 1, told);
      }
      undo();
    }
    for (const id of ids) assert.equal((await verify(id)).faults, [], id);
    for (const file of ['run.json', 'result.json', 'scenario.oql', 'events.ndjson', 'seal.json'])
      assert.ok(files.has(file), file);
  }));

test('REC-003 the seal names its key; a record that is sealed anew by another key is not accepted', () =>
  atPlace(async (place) => {
    const { identity } = await place.run(place.store());
    const directory = join(place.stateDir, 'runs', identity.run_id);
    const own = rigKeyOf(place.stateDir).public;
    const good = await verifyRecord(directory, { keys: [own.fingerprint] });
    assert.equal([good.status, good.key, identity.key], ['sealed', own, own]);
    const other = await verifyRecord(directory, { keys: ['SHA256:other'] });
    assert.equal([other.status, other.faults[0]?.file], ['tampered', 'seal.json']);
    assert.match(other.faults[0]?.reason ?? '', own.fingerprint);
  }));

test('REC-003 among the records of a rig, one that another key sealed is changed for store and index', () =>
  atPlace(async (place) => {
    const { identity } = await place.run(place.store());
    const id = identity.run_id;
    rmSync(join(place.stateDir, 'rig-key.pem'));
    const store = place.store();
    store.requireWritable();
    assert.is((await store.verify(id))?.status, 'tampered');
    const read = () =>
      store.read(there(store.get(id))).then(
        () => 'read',
        (thrown: Error) => thrown.message,
      );
    assert.match(await read(), 'which is not accepted');
    writeFileSync(join(place.stateDir, 'accepted-keys'), `${identity.key?.fingerprint}\n`);
    assert.equal([(await store.verify(id))?.status, await read()], ['sealed', 'read']);
  }));

test('REC-003 a sealed record whose ending was taken away is not sealed again by the next start', () =>
  atPlace(async (place) => {
    const file = await place.run(place.store());
    const { run_id: id } = file.identity;
    writeFileSync(place.path(id, 'run'), JSON.stringify({ ...file, ending: null, events: null }));
    place.setLines(id, place.lines(id).slice(0, -3));
    const store = place.store();
    const [open] = store.unended();
    if (!open) throw new Error('none is open');
    try {
      await store.recover(open, Date.UTC(2025, 0, 16));
      assert.unreachable();
    } catch (thrown) {
      assert.instance(thrown, RecordError);
      assert.match(
        (thrown as Error).message,
        /events\.ndjson line \d+: it is missing.*the record of .* was changed and stays as it is/,
      );
    }
    assert.is((await verifyRecord(join(place.stateDir, 'runs', id))).status, 'tampered');
  }));

test('REC-003 a record of a run that was killed between seal and ending is ended and verifies', () =>
  atPlace(async (place) => {
    const file = await place.run(place.store());
    const { run_id: id } = file.identity;
    const directory = join(place.stateDir, 'runs', id);
    writeFileSync(place.path(id, 'run'), JSON.stringify({ ...file, ending: null, events: null }));
    writeFileSync(join(directory, '.run.json.4711.tmp'), '{"schema');
    const store = place.store();
    const [open] = store.unended();
    if (!open) throw new Error('none is open');
    const { ending } = await store.recover(open, Date.UTC(2025, 0, 16));
    assert.is(ending?.status, 'failed');
    assert.equal((await verifyRecord(directory)).faults, []);
  }));

const refusal = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (thrown: Error) => (thrown instanceof RecordError ? thrown.message : `a defect: ${thrown.message}`),
  );

/** Takes ending and, if asked for, seal of a record away. @returns the record as a new start finds it */
function reopen(place: RecordPlace, file: RunFile, sealToo: boolean): RunFile {
  const { run_id: id } = file.identity;
  writeFileSync(place.path(id, 'run'), JSON.stringify({ ...file, ending: null, events: null }));
  if (sealToo) rmSync(place.path(id, 'seal'));
  return there(place.store().unended()[0]);
}

test('REC-003 a record that has ended and has no seal is NOT SEALED, whether it names a key or not, and has no report', () =>
  atPlace(async (place) => {
    const cut = await place.cutRun(place.store(), () => true);
    const open = await verifyRecord(join(place.stateDir, 'runs', cut.identity.run_id));
    assert.equal([open.status, open.faults, open.key], ['open', [], null]);
    const store = place.store();
    const files = [await place.run(store), await place.run(store)];
    place.makeOld(files[1]?.identity.run_id ?? '');
    for (const { identity } of files) {
      rmSync(place.path(identity.run_id, 'seal'), { force: true });
      const found = await verifyRecord(join(place.stateDir, 'runs', identity.run_id));
      assert.is(found.status, 'unsealed');
      assert.equal(
        found.faults.map(({ file, line }) => [file, line]),
        [['seal.json', null]],
      );
      assert.match(await refusal(store.read(there(store.get(identity.run_id)))), 'NOT SEALED');
    }
  }));

test('REC-003 a record whose ending and seal were removed is not sealed anew when it is known to have ended', () =>
  atPlace(async (place) => {
    const file = await place.run(place.store());
    const { run_id: id } = file.identity;
    const open = reopen(place, file, true);
    place.setLines(id, place.lines(id).slice(0, -3));
    const store = place.store();
    assert.match(await refusal(store.recover(open, AT, { endedBefore: true })), 'NOT SEALED');
    assert.not.ok(existsSync(place.path(id, 'seal')));
    assert.is(there(store.get(id)).ending, null);
  }));

test('REC-003 recovery does not seal over a seal of another key, nor over a file that the seal shows as changed', () =>
  atPlace(async (place) => {
    const file = await place.run(place.store());
    const { run_id: id } = file.identity;
    const open = reopen(place, file, false);
    appendFileSync(place.path(id, 'scenario'), 'SET valve-2 open\n');
    assert.match(await refusal(place.store().recover(open, AT)), 'scenario.oql: it was changed');
    writeFileSync(place.path(id, 'scenario'), SCENARIO);
    const own = readFileSync(join(place.stateDir, KEY_FILE));
    rmSync(join(place.stateDir, KEY_FILE));
    // The seal that is there is of the key before.
    assert.match(await refusal(place.store().recover(open, AT)), 'which is not accepted');
    writeFileSync(join(place.stateDir, KEY_FILE), own);
    assert.is(await refusal(place.store().recover(open, AT)), 'done');
  }));

test('REC-003 the recovery of a run of another key, or of a version without one, names its own key and verifies', () =>
  atPlace(async (place) => {
    const cut = await place.cutRun(place.store(), (event) => event.seq < 5);
    const { run_id: id } = cut.identity;
    const { key: _key, station: _station, clock: _clock, ...identity } = cut.identity;
    for (const old of [identity, cut.identity]) {
      rmSync(place.path(id, 'seal'), { force: true });
      rmSync(place.path(id, 'result'), { force: true });
      rmSync(join(place.stateDir, KEY_FILE));
      writeFileSync(place.path(id, 'run'), JSON.stringify({ ...cut, identity: old }));
      const chain = new EventChain(anchorOf(old));
      place.setLines(
        id,
        (await dryEvents()).slice(0, 5).map((event) => chain.lineOf(event)),
      );
      const store = place.store();
      const { events } = await store.recover(there(store.unended()[0]), AT);
      assert.is(events?.recovered?.key, store.key().public.fingerprint);
      const found = there(await store.verify(id));
      assert.equal([found.status, found.faults], ['sealed', []]);
    }
  }));

async function dryEvents(): Promise<RunEvent[]> {
  const events: RunEvent[] = [];
  await dryRun((event) => events.push(event));
  return events;
}

test('REC-004 a recovery that is interrupted between seal and ending is completed as the recovery that it was', () =>
  atPlace(async (place) => {
    const cut = await place.cutRun(place.store(), (event) => event.seq < 5);
    const first = await place.store().recover(cut, AT);
    const again = await place.store().recover(reopen(place, first, false), AT);
    assert.equal(again.ending, first.ending);
    assert.is((await verifyRecord(join(place.stateDir, 'runs', cut.identity.run_id))).status, 'sealed');
  }));

test.run();
