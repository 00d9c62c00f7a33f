import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { AT, atPlace, dryRun, factsOf, SCENARIO, there } from '../../test-kit/scenario/sample-run.ts';
import { suite } from '../../test-kit/suite.ts';
import { RecordError } from './record-error.ts';
import { endingOf } from './run-ending.ts';
import { FILES } from './run-file.ts';
import { RunStore } from './run-store.ts';

const test = suite('records of runs');

test('a run is a directory with who, what, the events and the result; a new index finds all of it', () =>
  atPlace(async (place) => {
    const { identity, ending } = await place.run(place.store());
    assert.is(identity.run_id, 'r-20250115-0001');
    assert.equal([ending?.status, ending?.ok, ending?.passed, ending?.total], ['failed', false, 1, 3]);
    assert.equal(readdirSync(join(place.stateDir, 'runs', identity.run_id)).sort(), [
      FILES.events,
      FILES.result,
      FILES.run,
      FILES.scenario,
      FILES.seal,
    ]);
    assert.is(readFileSync(place.path(identity.run_id, 'scenario'), 'utf8'), SCENARIO);
    const again = place.store();
    assert.is(JSON.stringify(again.get(identity.run_id)?.ending), JSON.stringify(ending));
    const { result, version, scenarioHash } = await again.read(there(again.newest(1)[0]));
    assert.equal([result.outcome, result.goals.length, version, scenarioHash], ['failed', 3, '1.2.3', 'ab']);
    assert.is(result.events.at(-1)?.type, 'run.end');
    assert.is(result.events.length, place.lines(identity.run_id).length);
  }));

test('a passed run whose ending the disk does not take is an error that gives the reason; a failed one stays failed', () =>
  atPlace(async (place) => {
    const store = place.store();
    const result = await dryRun();
    const ending = endingOf(result, new Date(AT).toISOString());
    for (const [status, recorded] of [
      ['passed', 'error'],
      ['done', 'error'],
      ['failed', 'failed'],
    ] as const) {
      const writer = store.create(factsOf(), Buffer.from(SCENARIO), AT);
      const id = writer.identity.run_id;
      mkdirSync(place.path(id, 'result'));
      const { file, fault } = writer.end({ ...ending, status, ok: status === 'passed' }, result);
      assert.ok(fault, status);
      store.ended(file);
      for (const shown of [file, there(store.get(id))])
        assert.equal(
          [shown.ending?.status, shown.ending?.ok, shown.ending?.errors.at(-1)?.code],
          [recorded, false, 'record_unwritable'],
          status,
        );
      assert.is(there(place.store().get(id)).ending, null, 'on the disk it has no ending');
    }
  }));

test('newest first, by the order in which they were asked for, also when the wall clock jumps back', () =>
  atPlace(async (place) => {
    const store = place.store();
    await place.run(store, AT);
    await place.run(store, AT - 86_400_000);
    await place.run(store, AT);
    const ids = ['r-20250115-0002', 'r-20250114-0001', 'r-20250115-0001'];
    assert.equal(
      store.newest(9).map(({ identity }) => identity.run_id),
      ids,
    );
    assert.equal(
      place
        .store()
        .newest(2)
        .map(({ identity }) => identity.run_id),
      ids.slice(0, 2),
    );
  }));

test('a number is never given twice, also when a record is damaged or half made', () =>
  atPlace(async (place) => {
    const { identity } = await place.run(place.store());
    writeFileSync(place.path(identity.run_id, 'run'), '{"schema_version":1');
    mkdirSync(join(place.stateDir, 'runs', '.new-r-20250115-0002'));
    const store = place.store();
    assert.match(store.damaged.join(), /r-20250115-0001\/run\.json is not a record of a run/);
    assert.is(store.count, 0);
    assert.throws(() => store.get(identity.run_id), /run\.json is not a record of a run/);
    assert.is(store.get('r-20250115-0002'), undefined);
    assert.equal(
      readdirSync(store.directory),
      ['r-20250115-0001'],
      'what was half made is gone, what is damaged stays',
    );
    const next = store.create(factsOf(), Buffer.from(''), AT);
    assert.is(next.identity.run_id, 'r-20250115-0002');
  }));

for (const [what, change] of [
  [
    'changed',
    (lines: string[]) => lines.map((line, n) => (n === 3 ? line.replace('"seq":3', '"seq":3 ') : line)),
  ],
  ['left out', (lines: string[]) => lines.filter((_, n) => n !== 3)],
  ['put in twice', (lines: string[]) => [...lines.slice(0, 4), ...lines.slice(3)]],
  ['exchanged', ([a = '', b = '', ...lines]: string[]) => [b, a, ...lines]],
  ['cut off', (lines: string[]) => lines.slice(0, -1)],
] as const)
  test(`a line that was ${what} is found when the record is read`, () =>
    atPlace(async (place) => {
      const store = place.store();
      const file = await place.run(store);
      const id = file.identity.run_id;
      place.setLines(id, change(place.lines(id)));
      await store.read(file).then(
        () => assert.unreachable('it was not seen'),
        (error) => {
          assert.instance(error, RecordError);
          assert.match((error as Error).message, /r-20250115-0001 .* is damaged: events\.ndjson line \d+: /);
        },
      );
    }));

test('the events of another run, or another scenario under the same events, are found', () =>
  atPlace(async (place) => {
    const store = place.store();
    const [first, second] = [await place.run(store), await place.run(store)];
    place.setLines(second.identity.run_id, place.lines(first.identity.run_id));
    const isDamaged = (file: typeof first) =>
      store.read(file).then(
        () => false,
        (error) => (error as { code?: string }).code === 'record_damaged',
      );
    assert.ok(await isDamaged(second));
    assert.not.ok(await isDamaged(first));
    const path = place.path(first.identity.run_id, 'run');
    writeFileSync(path, readFileSync(path, 'utf8').replace('"sha256": "ab"', '"sha256": "ac"'));
    const changed = there(place.store().get(first.identity.run_id));
    assert.ok(await isDamaged(changed), 'the scenario hash is in the chain');
  }));

test('a folder that cannot be made refuses runs with place and remedy, and takes them when it can', () =>
  atPlace((place) => {
    const stateDir = join(place.stateDir, 'state');
    writeFileSync(stateDir, 'a file');
    const store = new RunStore(stateDir);
    const create = () => store.create(factsOf(), Buffer.from(''), AT);
    for (const act of [() => store.open(), create, () => store.requireWritable()])
      assert.throws(
        act,
        /no run was started: it cannot be recorded in .*state\/runs: (not a directory|file already exists).*SVC_STATE_DIR/,
      );
    unlinkSync(stateDir);
    assert.is(create().identity.run_id, 'r-20250115-0001');
  }));

test('a run that could not be begun leaves nothing, and its number is free', () =>
  atPlace(async (place) => {
    const store = place.store();
    await place.run(store);
    const moved = join(place.stateDir, 'moved');
    rmSync(store.directory, { recursive: true });
    assert.throws(() => store.create(factsOf(), Buffer.from(''), AT), /no run was started: .*: no such file/);
    assert.is(store.count, 1);
    mkdirSync(store.directory);
    assert.is(store.create(factsOf(), Buffer.from(''), AT).identity.run_id, 'r-20250115-0001');
    assert.equal(readdirSync(store.directory), ['r-20250115-0001']);
    assert.not.ok(existsSync(moved));
  }));

test.needs(process.getuid?.() !== 0, 'root may write everywhere')(
  'a folder that may not be written refuses runs and keeps those that are there',
  () =>
    atPlace(async (place) => {
      const store = place.store();
      await place.run(store);
      chmodSync(store.directory, 0o555);
      assert.throws(() => store.requireWritable(), /permission denied/);
      assert.throws(() => store.create(factsOf(), Buffer.from(''), AT), /permission denied/);
      chmodSync(store.directory, 0o755);
      assert.is(place.store().count, 1);
    }),
);

test.run();
