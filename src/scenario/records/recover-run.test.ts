import { appendFileSync, existsSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import * as assert from 'uvu/assert';
import { atPlace, dryRun, type RecordPlace, there } from '../../test-kit/scenario/sample-run.ts';
import { suite } from '../../test-kit/suite.ts';
import type { RunEvent } from '../events/event.ts';

const test = suite('a run that was cut');
const LATER = Date.UTC(2025, 0, 15, 11);

const firstGoal = (event: RunEvent) => event.type !== 'block.end';
const untilGoalEnd = (event: RunEvent) => event.goal === null || event.goal === 0;

async function recovered(place: RecordPlace) {
  const store = place.store();
  const [file] = store.unended();
  if (!file) throw new Error('none is cut');
  const ended = await store.recover(file, LATER);
  const { result } = await store.read(ended);
  return { ended, result, id: file.identity.run_id };
}

test('it becomes aborted with everything up to the cut, and its events end with run.end', () =>
  atPlace(async (place) => {
    const { identity } = await place.cutRun(place.store(), firstGoal);
    const before = place.lines(identity.run_id);
    const { ended, result, id } = await recovered(place);
    assert.equal(place.lines(id).slice(0, before.length), before, 'nothing of it is changed');
    assert.equal(
      result.events.slice(before.length).map(({ type }) => type),
      ['log', 'run.end'],
    );
    assert.equal(
      result.events.map(({ seq }) => seq),
      result.events.map((_, n) => n),
    );
    const { status, ok, errors, ended_at, simulated, safe_state } = there(ended.ending);
    assert.equal(
      [status, ok, ended_at, simulated, safe_state],
      ['aborted', false, '2025-01-15T11:00:00.000Z', true, null],
    );
    assert.match(errors.at(-1)?.message ?? '', 'the record ends here');
    assert.equal(
      result.goals.map(({ name, outcome }) => [name, outcome]),
      [
        ['Fails', 'aborted'],
        ['Samples', 'skipped'],
        ['leave', 'skipped'],
      ],
    );
    assert.equal(place.store().unended(), [], 'once');
  }));

test('a run whose recovery was cut too has not ended: its ending reports the cut', () =>
  atPlace(async (place) => {
    const { identity } = await place.cutRun(place.store(), firstGoal);
    const path = place.path(identity.run_id, 'run');
    const unended = readFileSync(path);
    await recovered(place);
    // Power was lost when the events were closed, and before the ending was written.
    writeFileSync(path, unended);
    rmSync(place.path(identity.run_id, 'seal'));
    const { ended, result } = await recovered(place);
    assert.equal([ended.ending?.status, ended.ending?.errors.at(-1)?.code], ['aborted', 'cut']);
    assert.is(result.events.filter(({ type }) => type === 'run.end').length, 1);
  }));

test('a torn last line is put aside and is part of nothing', () =>
  atPlace(async (place) => {
    const { identity } = await place.cutRun(place.store(), untilGoalEnd);
    const whole = place.lines(identity.run_id).length;
    const torn = '{"seq":99,"type":"check","outc\0\0\0';
    appendFileSync(place.path(identity.run_id, 'events'), torn);
    const { ended, result, id } = await recovered(place);
    assert.is(result.events.length, whole + 2);
    assert.is(readFileSync(place.path(id, 'torn'), 'utf8'), torn);
    assert.is(ended.events?.recovered?.torn_bytes, torn.length);
    assert.is(result.goals[0]?.outcome, 'failed', 'what had been judged stays judged');
    assert.is(ended.ending?.status, 'aborted');
  }));

test('lines behind a hole, as a power cut leaves them, count for nothing and are kept', () =>
  atPlace(async (place) => {
    const { identity } = await place.cutRun(place.store(), untilGoalEnd);
    const id = identity.run_id;
    const lines = place.lines(id);
    place.setLines(id, [...lines.slice(0, 4), '\0'.repeat(40), ...lines.slice(5)]);
    const { result } = await recovered(place);
    assert.is(result.events.length, 4 + 2);
    assert.match(readFileSync(place.path(id, 'torn'), 'utf8'), lines.at(-1) ?? '');
    assert.match(place.lines(id).at(-1) ?? '', '"type":"run.end"');
  }));

test('a run that had reported its end keeps its verdict', () =>
  atPlace(async (place) => {
    const store = place.store();
    const file = await place.run(store);
    const id = file.identity.run_id;
    const lines = place.lines(id);
    writeFileSync(place.path(id, 'run'), JSON.stringify({ ...file, ending: null, events: null }));
    const { ended } = await recovered(place);
    assert.equal([ended.ending?.status, ended.ending?.passed], ['failed', 1]);
    assert.equal(place.lines(id), lines);
    assert.not.ok(existsSync(place.path(id, 'torn')));
  }));

test('one without a single event, or whose file of events is not there, is aborted too', () =>
  atPlace(async (place) => {
    const store = place.store();
    const { identity } = await place.cutRun(store, () => false);
    truncateSync(place.path(identity.run_id, 'events'));
    const { ended, result } = await recovered(place);
    assert.equal([ended.ending?.status, ended.ending?.total, result.goals.length], ['aborted', 0, 0]);
  }));

test('the events alone report what the interpreter told', () =>
  atPlace(async (place) => {
    const { identity } = await place.cutRun(place.store(), () => true);
    const { result } = await recovered(place);
    const told = await dryRun();
    const judged = ({ goals }: typeof told) =>
      goals.map(({ name, kind, outcome, checks, failedChecks, attempts, message, pos, teardown }) => [
        [name, kind, outcome, checks, failedChecks, attempts, message, teardown],
        pos,
      ]);
    assert.equal(judged(result), judged(told));
    assert.equal(result.variables.kept, told.variables.kept);
    assert.is(result.samples.length, 1);
    assert.equal(
      result.samples.map(({ sensor, unit, stats }) => [sensor, unit, stats]),
      told.samples.map(({ sensor, unit, stats }) => [sensor, unit, stats]),
    );
    assert.equal(
      result.samples[0]?.points.map(([, v]) => v),
      told.samples[0]?.points.map(([, v]) => v),
    );
    assert.equal(
      [result.outcome, result.passed, result.total, result.simulated],
      [told.outcome, told.passed, told.total, told.simulated],
    );
    assert.ok(identity.run_id);
  }));

test('the rig that was made safe late is part of the record; a run that had the lease does not guess', () =>
  atPlace(async (place) => {
    const store = place.store();
    const file = await place.cutRun(store, untilGoalEnd);
    const steps = [{ name: 'pump_zero', ok: true }];
    const { ending } = await store.recover(file, LATER, { late: { ok: true, simulated: false, steps } });
    assert.equal(ending?.safe_state, { outcome: 'simulated', reason: 'the run was cut', steps });
    assert.is(ending?.status, 'aborted');
  }));

test.run();
