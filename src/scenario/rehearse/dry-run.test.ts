import * as assert from 'uvu/assert';
import { systemClock } from '../../lib/clock/clock.ts';
import { Registry } from '../../rig/registry/registry.ts';
import { codesOf, dryRun, eventsOf, goalOf, outcomesOf } from '../../test-kit/scenario/run-on.ts';
import { suite } from '../../test-kit/suite.ts';

const test = suite('dry-run');

const refuse = (): never => {
  throw new Error('a dry-run asks nobody');
};

test('LANG-051 a dry-run opens no socket and uses no timer', async () => {
  const clock = { ...systemClock, sleep: refuse, after: refuse, monotonic: refuse };
  const source = `
GOAL a:
  SET pump 5 l/min
  SET lung start
  SAMPLE AI01 START 100ms
  WAIT 10 min
  API_GET '/api/v1/state'
  ASSERT_STATUS 200
  EXPECT_DEVICE '/dev/ttyACM1' 'CH343' 'serial'
  ASSERT_VALVE valve-1 true
  AI01 ≥ 3 V | WAIT 'x'
CONFIG close:
  SET pump 0
`;
  const result = await dryRun(source, { clock, fetch: refuse });
  assert.is(result.outcome, 'passed');
  assert.is(result.durationMs, 600_000);
  assert.is(result.simulated, true);
});

test('LANG-051 the same scenario gives the same events twice', async () => {
  const source = 'GOAL a:\n  SAMPLE AI01 START 100ms\n  WAIT 1s\n  CHECK 1 <= AI01 <= 2 V\n';
  const strip = async () => (await dryRun(source)).events.map((event) => ({ ...event, time: '', at: '' }));
  assert.equal(await strip(), await strip());
});

test('LANG-052 --sensor wins over every check: range, bound, gate, comparison, assert, sample, timer', async () => {
  const cases: [sensor: string, value: string, source: string][] = [
    ['AI01', '9', 'CHECK 1 <= AI01 <= 5 V'],
    ['ai01', '9', "IF AI01 < 5 V ELSE ERROR 'high'"],
    ['nc-sensor', '9 V', 'AI01 ∈ [1, 5] V'],
    ['AI01', '9000 mV', 'ASSERT_SENSOR AI01 < 5 V'],
    ['AI01', '9', 'MAX AI01 5 V\n  GET AI01'],
    ['AI01', '9', 'MAX AI01 5 V\n  SAMPLE AI01 START 100ms\n  WAIT 1s'],
    ['AI01', '9', 'CHECK AI01 < AI02'],
    ['AI01', '9', 'CHECK AI01 < 5 V AND AI02 < 5 V'],
    ['Timer', '9 s', 'CHECK Timer < 5 s'],
  ];
  for (const [name, value, line] of cases) {
    const source = `GOAL a:\n  ${line}\n`;
    assert.is((await dryRun(source)).outcome, 'passed', line);
    if (line.includes('AI02') && !line.includes('AND')) continue;
    const given = await dryRun(source, { sensors: { [name]: value } });
    assert.is(given.outcome, 'failed', `${name}=${value}: ${line}`);
  }
});

test('LANG-052 a bad sensor value is an error and runs nothing', async () => {
  const result = await dryRun('GOAL a:\n  CHECK AI01 <= 5 V\n', { sensors: { AI01: 'high' } });
  assert.is(result.outcome, 'error');
  assert.is(goalOf(result, 'a').attempts, 0);
});

test('LANG-052 checks on what follows from simulated readings hold, on what follows from given ones are judged', async () => {
  const source = `
GOAL a:
  GET AI01
  SAVE p0
  WAIT 5 s
  GET AI01
  SAVE p1
  CALC 'drop' = 'SUB' 'p0, p1'
  CHECK 2 <= drop <= 3 V
`;
  assert.is((await dryRun(source)).outcome, 'passed');
  assert.is((await dryRun(source, { sensors: { AI01: 4 } })).outcome, 'failed');
});

test('gates are simulated true, but false when their body holds ERROR', async () => {
  const source = `
GOAL: a
  IF AI01 > 5 V
    LOG 'high'
  ELSE
    LOG 'low'
  ENDIF
  IF AI01 > 5 V
    ERROR 'much too high'
  ENDIF
  CHECK AI01 <= 9 V
`;
  const result = await dryRun(source);
  assert.is(result.outcome, 'passed');
  assert.equal(
    eventsOf(result, 'log').map(({ message }) => message),
    ['high'],
  );
});

test('a reading satisfies two-sided and joined conditions', async () => {
  const source = `
GOAL a:
  CHECK AI01 > 1 V AND AI01 < 2 V
  IF AI01 < 1 V OR AI01 > 2 V ELSE ERROR 'inside'
  CHECK AI01 > AI02
  CHECK AI03 != 1 V
  CHECK AI01 = 3.3 V
  CHECK AI01 < -5 mbar
  CHECK AI01 > 1 V AND AI02 < 50 mbar
`;
  const result = await dryRun(source);
  assert.is(result.outcome, 'passed');
  assert.is(goalOf(result, 'a').failedChecks, 0);
});

test('LANG-053 everything is marked simulated: events, variables, result, last line', async () => {
  const lines: string[] = [];
  const source = 'GOAL a:\n  GET AI01\n  SAVE v\n  CHECK AI01 <= 5 V\n';
  const result = await dryRun(source, { out: (line) => lines.push(line) });
  assert.ok(result.events.every(({ simulated }) => simulated));
  assert.is(result.variables.v?.simulated, true);
  assert.is(lines.at(-1), '1/1 passed (simulated, not a test)');
});

test('LANG-028 failed, then jumped over: the goal and the run stay failed', async () => {
  const source = `
GOAL a:
  CHECK AI01 <= 5 V
GOAL b:
  GOTO 'd'
GOAL c:
  CHECK AI02 <= 5 V
GOAL d:
  CHECK AI02 <= 5 V
`;
  const result = await dryRun(source, { sensors: { AI01: 9 } });
  assert.equal(outcomesOf(result), ['a failed', 'b passed', 'c skipped', 'd passed']);
  assert.is(result.outcome, 'failed');
});

test('LANG-028 a goal that failed once and passes when it is entered again stays failed', async () => {
  const source = `
GOAL a:
  CHECK x = 2
  IF x = 1
    SET x 2
    GOTO 'a'
  ENDIF
GOAL b:
  CHECK AI01 <= 5 V
`;
  const result = await dryRun(`DEFAULT x 1\n${source}`);
  assert.equal(outcomesOf(result), ['a failed', 'b passed']);
  assert.is(result.outcome, 'failed');
});

test('LANG-023 a retry that passes counts, the attempts are recorded', async () => {
  const source = `
DEFAULT n 0
GOAL a:
  CALC n = ADD 'n, 1'
  CHECK n = 2
  FAIL 'once more' RETRY 3
`;
  const result = await dryRun(source);
  assert.is(result.outcome, 'passed');
  assert.equal([goalOf(result, 'a').outcome, goalOf(result, 'a').attempts], ['passed', 2]);
  assert.equal(
    eventsOf(result, 'block.end').map(({ attempt, outcome }) => [attempt, outcome]),
    [
      [1, 'failed'],
      [2, 'passed'],
    ],
  );
});

test('LANG-022 the eleventh entry of a goal is an error, ten are not', async () => {
  const source = `
DEFAULT n 0
GOAL a:
  CALC n = ADD 'n, 1'
  IF n < limit
    GOTO 'a'
  ENDIF
  CHECK AI01 <= 5 V
`;
  const ten = await dryRun(source, { variables: { limit: 10 } });
  assert.equal([ten.outcome, goalOf(ten, 'a').attempts], ['passed', 10]);
  const eleven = await dryRun(source, { variables: { limit: 11 } });
  assert.equal([eleven.outcome, goalOf(eleven, 'a').attempts], ['error', 10]);
});

test('LANG-029 no goal, or none that ran: SCN401', async () => {
  const result = await dryRun('CONFIG a:\n  SET valve-1 off\n');
  assert.is(result.outcome, 'error');
  assert.ok(codesOf(result).includes('SCN401'));
  assert.is(goalOf(result, 'a').outcome, 'passed');
});

test('LANG-030 a goal without checks passes and says so', async () => {
  const result = await dryRun("GOAL a:\n  LOG 'x'\n");
  assert.equal([result.outcome, goalOf(result, 'a').message], ['passed', 'no checks']);
  assert.is(result.diagnostics.filter(({ code }) => code === 'SCN244').length, 1);
});

test('LANG-076 checks in an untaken branch are not checks: inconclusive, SCN416', async () => {
  const source = 'GOAL a:\n  IF x = 1\n    CHECK AI01 <= 5 V\n  ENDIF\n';
  const result = await dryRun(source, { variables: { x: 2 } });
  assert.equal(
    [result.outcome, goalOf(result, 'a').message],
    ['inconclusive', 'no check ran: CHECK on line 3 depends on IF on line 2'],
  );
  assert.is(result.diagnostics.filter(({ code }) => code === 'SCN416').length, 1);
});

test('LANG-031 after a failed limit the rest of the goal is measured', async () => {
  const source = "GOAL a:\n  CHECK AI01 <= 5 V\n  CHECK AI02 <= 5 V\n  LOG 'end'\n";
  const result = await dryRun(source, { sensors: { AI01: 9 } });
  assert.equal([goalOf(result, 'a').checks, goalOf(result, 'a').failedChecks], [2, 1]);
  assert.is(eventsOf(result, 'log').length, 1);
});

test('LANG-032 ERROR alone ends its goal, the next goal runs', async () => {
  const source = "GOAL a:\n  ERROR 'not built'\n  CHECK AI01 <= 5 V\nGOAL b:\n  CHECK AI01 <= 5 V\n";
  const result = await dryRun(source);
  assert.equal(outcomesOf(result), ['a failed', 'b passed']);
  assert.is(goalOf(result, 'a').message, 'not built');
});

test('LANG-034 pauses beyond the goal time-out are an error in a dry-run too', async () => {
  const result = await dryRun('GOAL a:\n  WAIT 16 min\n  CHECK AI01 <= 5 V\nGOAL b:\n  CHECK AI01 <= 5 V\n');
  assert.equal(outcomesOf(result), ['a error', 'b passed']);
  assert.ok(codesOf(result).includes('SCN407'));
  assert.is(goalOf(result, 'a').durationMs, 900_000);
});

test('LANG-049 an unknown FUNC is a warning when read and an error when run', async () => {
  const result = await dryRun('GOAL a:\n  FUNC: nothing\n  CHECK AI01 <= 5 V\n');
  assert.equal(outcomesOf(result), ['a error']);
  assert.ok(codesOf(result).includes('SCN201'));
});

test('LANG-049 IF and CHECK work in a macro, positions are those of the macro, the stack is the CALL', async () => {
  const source = `MACRO limit:
  CHECK AI01 <= $1 V
    ERROR 'above $1'
GOAL a:
  CALL limit 5
`;
  const result = await dryRun(source, { sensors: { AI01: 9 } });
  const [check] = eventsOf(result, 'check');
  assert.equal([check?.outcome, check?.message, check?.pos?.line], ['failed', 'above 5', 2]);
});

test('an error in the text stops the run before anything', async () => {
  const result = await dryRun('GOAL a:\n  CHEK AI01 <= 5 V\n');
  assert.equal([result.outcome, result.ok, goalOf(result, 'a').attempts], ['error', false, 0]);
  assert.equal(
    result.events.map(({ type }) => type).filter((type) => type !== 'diagnostic'),
    ['run.start', 'block.end', 'run.end'],
  );
});

test('strict makes findings about the rig errors', async () => {
  const source = 'GOAL a:\n  SET valve-99 on\n  CHECK AI01 <= 5 V\n';
  assert.is((await dryRun(source)).outcome, 'passed');
  assert.is((await dryRun(source, { strict: true })).outcome, 'error');
});

test('findings that depend on this rig only do not end a dry-run', async () => {
  const source = 'GOAL a:\n  SET pump 15 l/min\n  CHECK AI01 <= 5 V\n';
  const result = await dryRun(source);
  assert.is(result.outcome, 'passed');
  assert.is(eventsOf(result, 'actuate').length, 0);
  const bigger = await dryRun(source, { registry: new Registry({ pumpFullScaleLpm: 20 }) });
  assert.equal(
    eventsOf(bigger, 'actuate').map(({ sent }) => sent),
    [75],
  );
});

test('loops in loops come to an end', async () => {
  const source = `
GOAL a:
  REPEAT 1000:
    REPEAT 1000:
      LOG 'x'
`;
  const result = await dryRun(source);
  assert.is(result.outcome, 'error');
  assert.ok(codesOf(result).includes('SCN407'));
});

test('validate mode runs nothing', async () => {
  const result = await dryRun('GOAL a:\n  CHECK AI01 <= 5 V\n', { mode: 'validate' });
  assert.equal([result.ok, result.simulated, goalOf(result, 'a').outcome], [true, false, null]);
  assert.equal((await dryRun('GOAL a:\n  CHEK x\n', { mode: 'validate' })).ok, false);
});

test.run();
