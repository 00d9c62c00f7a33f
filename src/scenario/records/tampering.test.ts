import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { seededRandom } from '../../lib/random/seeded-random.ts';
import { atPlace, type RecordPlace, there } from '../../test-kit/scenario/sample-run.ts';
import { tamper } from '../../test-kit/scenario/tampering.ts';
import { suite } from '../../test-kit/suite.ts';
import { RecordError } from './record-error.ts';
import { rigKeyOf } from './rig-key.ts';
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
        assert.is(status, 'tampered', `${n}: ${what}`);
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
        /seal\.json: it seals \d+ events, of which \d+ follow each other/,
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

test('REC-003 a run that goes on is open, and a record of an earlier version unsealed', () =>
  atPlace(async (place) => {
    const cut = await place.cutRun(place.store(), () => true);
    const open = await verifyRecord(join(place.stateDir, 'runs', cut.identity.run_id));
    assert.equal([open.status, open.faults, open.key], ['open', [], null]);
    const { identity } = await place.run(place.store());
    rmSync(place.path(identity.run_id, 'seal'));
    const removed = await verifyRecord(join(place.stateDir, 'runs', identity.run_id));
    assert.equal(removed.faults, [{ file: 'seal.json', line: null, reason: 'it is missing' }]);
  }));

test.run();
