import * as assert from 'uvu/assert';
import { suite } from '../../test-kit/suite.ts';
import type { PlanEntry, RunEvent } from '../events/event.ts';
import { Interpreter } from '../interpreter.ts';
import { firstFailedOf, measurementsOf } from './measurements.ts';
import { retriesOf } from './run-retries.ts';

const test = suite('measurements of a run');

async function run(text: string, AI01 = 0.5): Promise<RunEvent[]> {
  const events: RunEvent[] = [];
  await new Interpreter({ onEvent: (event) => events.push(event), sensors: { AI01 } }).run(text, 'm.oql');
  return events;
}

const scenario = (low: string, high: string) => `SCENARIO: M
GOAL:
  SET NAME 'Leak'
  MAX AI01 ${high}
  GET AI01
  GET AI01
  CHECK AI01 >= ${low}
  CHECK AI01 >= ${low}
`;

test('REC-002 every judged value is one row that equals its check event; a bound is one row with its worst value', async () => {
  const events = await run(scenario('0.6 V', '2 V'));
  const rows = measurementsOf(events, 'm');
  assert.is(new Set(rows.map(({ id }) => id)).size, rows.length);
  assert.equal(
    rows.map(({ check, value, low, high, outcome }) => [check, value, low, high, outcome]),
    [
      ['MAX AI01 # V', 0.5, null, 2, 'passed'],
      ['CHECK AI01 >= # V', 0.5, 0.6, null, 'failed'],
      ['CHECK AI01 >= # V (2)', 0.5, 0.6, null, 'failed'],
    ],
  );
  for (const row of rows) {
    const event = events[Number(row.id)];
    if (event?.type !== 'check') throw new Error(`event ${row.id} is no check`);
    assert.equal(
      [row.sensor, row.value, row.unit, row.low, row.high, row.outcome, row.at, row.message],
      [
        event.sensor,
        event.actual,
        event.unit,
        event.low,
        event.high,
        event.outcome,
        event.time,
        event.message,
      ],
    );
    assert.equal(row.position, { file: 'm.oql', line: event.pos?.line, column: event.pos?.col });
    assert.equal([row.block, row.attempt, row.calibration], ['Leak', 1, event.calibration ?? null]);
  }
});

test('REC-002 keys are of their own in a run, and survive a change of the limits', async () => {
  const keys = async (low: string, high: string) =>
    measurementsOf(await run(scenario(low, high)), 'm').map(({ key }) => key);
  const before = await keys('0.6 V', '2 V');
  assert.is(new Set(before).size, 3);
  assert.is(before[1], 'm/Leak/CHECK AI01 >= # V/AI01');
  assert.equal(await keys('0.1 V', '-12.5 V'), before);
});

test('REC-002 blocks of one name have keys of their own by their order in the plan, also when the first one is left out', async () => {
  const text =
    "SCENARIO: M\nGOAL:\n  SET NAME 'Leak'\n  CHECK AI01 >= 0 V\nGOAL:\n  SET NAME 'Leak'\n  CHECK AI01 >= 0.1 V\n";
  const events = await run(text);
  const rows = measurementsOf(events, 'm');
  assert.equal(
    rows.map(({ key, block, block_number }) => [key, block, block_number]),
    [
      ['m/Leak/CHECK AI01 >= # V/AI01', 'Leak', 1],
      ['m/Leak\\2/CHECK AI01 >= # V/AI01', 'Leak', 2],
    ],
  );
  const second = measurementsOf(
    events.filter(({ goal }) => goal !== 0),
    'm',
  );
  assert.equal(
    second.map(({ key }) => key),
    [rows[1]?.key],
  );
});

test('REC-002 no two measurements share a key, whatever is in their names', async () => {
  const [start, ...events] = await run(scenario('0.6 V', '2 V'));
  const parts = ['a', 'a/b', 'b', 'a\\', 'a\\/b', '/', 'a\\2'];
  const keys = new Map<string, string>();
  for (const scenarioId of parts)
    for (const block of parts)
      for (const name of parts)
        for (const sensor of parts)
          for (const twice of [false, true]) {
            if (start?.type !== 'run.start') throw new Error('it does not start');
            const plan = [0, 1].map((index) => ({ ...start.plan[0], index, name: block }) as PlanEntry);
            const named = events.flatMap((event): RunEvent[] => {
              const goal = event.goal === null ? null : Number(twice);
              if (event.type === 'block.start') return [{ ...event, goal, name: block }];
              return event.type === 'check' ? [{ ...event, goal, name, sensor }] : [];
            });
            const [row] = measurementsOf([{ ...start, plan }, ...named], scenarioId);
            const whole = JSON.stringify([scenarioId, block, twice, name, sensor]);
            const key = row?.key ?? '';
            assert.ok((keys.get(key) ?? whole) === whole, `${key} of ${whole} and ${keys.get(key)}`);
            keys.set(key, whole);
          }
  assert.is(keys.size, parts.length ** 4 * 2);
});

test('REC-001 what failed first is of the attempt that counts', async () => {
  const events = await run(
    "SCENARIO: M\nGOAL:\n  SET NAME 'Leak'\n  CHECK AI01 >= 4 V\n  FAIL 'no' RETRY 1\n",
  );
  const rows = measurementsOf(events, 'm');
  assert.equal(
    rows.map(({ attempt }) => attempt),
    [1, 2],
  );
  assert.is(firstFailedOf(rows)?.attempt, 2);
});

test('REC-001 a failure of a goal that GOTO enters again stays; only retries of one entry replace each other', async () => {
  const events = await run(
    "SCENARIO: M\nGOAL:\n  SET NAME 'Leak'\n  CHECK AI01 >= 4 V\n  FAIL 'no' RETRY 1\nGOAL:\n  SET NAME 'Again'\n  CHECK AI01 >= 0 V\n  GOTO 'Leak'\n",
  );
  const rows = measurementsOf(events, 'm').filter(({ block }) => block === 'Leak');
  assert.equal(
    rows.slice(0, 4).map(({ attempt, entry }) => [attempt, entry]),
    [
      [1, 1],
      [2, 1],
      [3, 2],
      [4, 2],
    ],
  );
  const [, second, third, fourth] = rows;
  if (!second || !third || !fourth) throw new Error('rows are missing');
  const passed = [third, fourth].map((row) => ({ ...row, outcome: 'passed' as const }));
  assert.is(firstFailedOf([second, ...passed])?.id, second.id, 'the entry before was not replaced');
});

test('REC-001 a goal that GOTO enters again was not tried again; its retries are listed for each entry', async () => {
  const again = (fail: string) =>
    run(
      `SCENARIO: M\nGOAL:\n  SET NAME 'Leak'\n  CHECK AI01 >= 4 V\n${fail}GOAL:\n  SET NAME 'Again'\n  CHECK AI01 >= 0 V\n  GOTO 'Leak'\n`,
    );
  assert.equal(retriesOf(await again('')), []);
  const retries = retriesOf(await again("  FAIL 'no' RETRY 1\n"));
  assert.equal(
    retries
      .slice(0, 2)
      .map(({ block, entry, attempts }) => [block, entry, attempts.map((one) => one.attempt)]),
    [
      ['Leak', 1, [1, 2]],
      ['Leak', 2, [3, 4]],
    ],
  );
});

test('REC-002 the checks of records of earlier versions are named by kind, sensor and operator', async () => {
  const events = (await run(scenario('0.6 V', '2 V'))).map((event) =>
    event.type === 'check' ? { ...event, name: undefined } : event,
  ) as RunEvent[];
  assert.is(measurementsOf(events, 'm')[1]?.check, 'CHECK AI01 >=');
});

test.run();
