import { writeFileSync } from 'node:fs';
import * as assert from 'uvu/assert';
import { reportPage } from '../../../scenario/outputs/report/page.ts';
import { loadRecord } from '../../../scenario/records/load-record.ts';
import type { RunFile } from '../../../scenario/records/run-file.ts';
import { sealRecord } from '../../../scenario/records/seal-record.ts';
import { atPlace, factsOf } from '../../../test-kit/scenario/sample-run.ts';
import { suite } from '../../../test-kit/suite.ts';
import { endedView } from './run-view.ts';

const test = suite('a record as the API shows it');

/** A run of a version that did not record some members; sealed, since later ones seal. */
function without(file: RunFile): RunFile {
  const { started_by: _by, part: _part, revision: _revision, batch: _batch, ...identity } = file.identity;
  if (!file.ending) throw new Error('it has no ending');
  const { devices: _devices, retries: _retries, first_failed: _first, ...ending } = file.ending;
  return { ...file, identity, ending };
}

test('REC-001 what a record of an earlier version does not have is null and named, not reported as empty', () =>
  atPlace(async (place) => {
    const file = await place.run(place.store());
    assert.equal(endedView(file, 'sealed').not_recorded, [
      'part',
      'revision',
      'batch',
      'started_by',
      'devices',
    ]);
    const view = endedView(without(file), 'sealed');
    assert.equal([view.devices, view.retries, view.first_failed, view.part], [null, null, null, null]);
    assert.equal(view.not_recorded, [
      'part',
      'revision',
      'batch',
      'started_by',
      'devices',
      'retries',
      'first_failed',
    ]);
  }));

test('REC-001 of a run whose record has no ending nothing is claimed: not its devices, not its counts, not its safe state', () => {
  const identity = { ...factsOf({ mode: 'execute' }), run_id: 'r-20250115-0001', serial: 1, created_at: '' };
  const view = endedView({ schema_version: 1, identity, ending: null, events: null }, 'open');
  assert.equal([view.status, view.ok, view.safe_state?.outcome], ['aborted', false, 'unknown']);
  for (const name of ['simulated', 'bench', 'passed', 'total', 'devices', 'retries'] as const) {
    assert.is(view[name], null, name);
    assert.ok(view.not_recorded.includes(name), name);
  }
});

test('REC-008 the report says "not recorded" of what a record of an earlier version does not have', () =>
  atPlace(async (place) => {
    const store = place.store();
    const file = await place.run(store);
    const { run_id: id } = file.identity;
    place.makeOld(id);
    const old = store.get(id);
    if (!old) throw new Error('it is gone');
    const key = store.key();
    const sealed = without({
      ...old,
      identity: old.identity,
      events: old.events && {
        ...old.events,
        recovered: { at: '', torn_bytes: 0, key: key.public.fingerprint },
      },
    });
    writeFileSync(place.path(id, 'run'), JSON.stringify(sealed));
    sealRecord(place.path(id, 'run').replace(/\/run\.json$/, ''), sealed, key);
    const record = await loadRecord(place.path(id, 'run').replace(/\/run\.json$/, ''), sealed);
    const page = reportPage(record);
    for (const name of ['Part number', 'Revision', 'Batch', 'Station', 'Started by', 'Devices', 'Clock'])
      assert.match(page, new RegExp(`<dt>${name}</dt>\\s*<dd>not recorded</dd>`), name);
    // A run of today says what it has.
    const next = await place.run(store);
    assert.not.match(reportPage(await store.read(next)), /<dt>Station<\/dt>\s*<dd>not recorded/);
  }));

test.run();
