import * as assert from 'uvu/assert';
import { calibratedRig } from '../../test-kit/scenario/rig-sensors.ts';
import { codesOf, dryRun, eventsOf, goalOf, outcomesOf } from '../../test-kit/scenario/run-on.ts';
import { suite } from '../../test-kit/suite.ts';
import type { Result } from '../run/result.ts';

const test = suite('readings of a dry-run');

const goal = (...lines: string[]): string => `GOAL a:\n${lines.map((line) => `  ${line}\n`).join('')}`;

const numberOf = ({ variables }: Result, name: string): number => Number(variables[name]?.value);

const near = (actual: number, expected: number, message: string): void =>
  assert.ok(Math.abs(actual - expected) < 1e-6, `${message}: ${actual} is not ${expected}`);

const read = (name: string): string[] => ['GET AI01', `SAVE ${name}`];

/** Checks of what is calculated from two readings, and what the calculation has to come to. */
const CALCULATED: [lines: string[], check: (result: Result) => [actual: number, expected: number]][] = [
  [
    ['CALC d = SUB "a, b"', 'CHECK 2 <= d <= 3 V'],
    (r) => [numberOf(r, 'd'), numberOf(r, 'a') - numberOf(r, 'b')],
  ],
  [
    ['CALC d = SUB "b, a"', 'CHECK d = 0.25 V'],
    (r) => [numberOf(r, 'd'), numberOf(r, 'b') - numberOf(r, 'a')],
  ],
  [
    ['CALC d = AVG "a, b"', 'CHECK d > 7 V'],
    (r) => [numberOf(r, 'd'), (numberOf(r, 'a') + numberOf(r, 'b')) / 2],
  ],
  [
    ['CALC d = MAX "a, b"', 'CHECK d < -1 V'],
    (r) => [numberOf(r, 'd'), Math.max(numberOf(r, 'a'), numberOf(r, 'b'))],
  ],
  [['CALC d = MUL "a, 2"', 'CHECK d >= 9 V'], (r) => [numberOf(r, 'd'), 2 * numberOf(r, 'a')]],
  [
    ['CALC d = DIV "a, b"', 'CHECK 2 <= d <= 3'],
    (r) => [numberOf(r, 'd'), numberOf(r, 'a') / numberOf(r, 'b')],
  ],
  [
    ['CALC d = SUB "a, b"', 'SET e $d', 'SAVE e f', 'CALC g = MUL "f, -1"', 'CHECK g > 5 V'],
    (r) => [numberOf(r, 'g'), numberOf(r, 'b') - numberOf(r, 'a')],
  ],
  [['SET d -$a', 'CHECK d >= 3 V'], (r) => [numberOf(r, 'd'), -numberOf(r, 'a')]],
  [
    ['CALC d = STDDEV "a, b"', 'CHECK 1 <= d <= 2 V'],
    (r) => [numberOf(r, 'd') ** 2, (numberOf(r, 'a') - numberOf(r, 'b')) ** 2 / 2],
  ],
];
for (const [lines, sides] of CALCULATED)
  test(`LANG-052 readings meet the checks of what is calculated from them: ${lines.join('; ')}`, async () => {
    const result = await dryRun(goal(...read('a'), ...read('b'), ...lines));
    assert.is(result.outcome, 'passed', goalOf(result, 'a').message);
    near(...sides(result), 'the variable is what its readings give');
    assert.equal(
      result.diagnostics.filter(({ code }) => code === 'SCN243'),
      [],
    );
  });

test('LANG-052 a reading that was given is kept, and the others meet the check', async () => {
  const source = goal('GET AI01', 'SAVE a', 'GET AI02', 'SAVE b', 'CALC d = SUB "a, b"', 'CHECK d > 4 V');
  const result = await dryRun(source, { sensors: { AI01: '2 V' } });
  assert.equal([result.outcome, numberOf(result, 'a')], ['passed', 2]);
  assert.ok(numberOf(result, 'b') < -2);
  assert.is((await dryRun(source, { sensors: { AI01: 2, AI02: 1 } })).outcome, 'failed');
});

test('LANG-052 a variable keeps one value: checks of it that contradict each other fail, SCN243', async () => {
  const result = await dryRun(goal(...read('a'), 'CHECK a > 3 V', 'CHECK a < 2 V', 'CHECK AI02 < 2 V'));
  const failed = eventsOf(result, 'check').filter(({ outcome }) => outcome === 'failed');
  assert.equal([result.outcome, failed.length], ['failed', 1]);
  const told = result.diagnostics.filter(({ code }) => code === 'SCN243');
  assert.equal(
    told.map(({ pos, severity }) => [pos.line, severity]),
    [[failed[0]?.pos?.line, 'warning']],
  );
});

test('LANG-038 a bound with a limit from a variable judges the reading before it', async () => {
  const result = await dryRun(
    goal('GET AI01', 'SET top 0.5 V', 'MAX AI01 $top', 'SET low 0.2 V', 'MIN AI01 low'),
  );
  assert.equal([result.outcome, goalOf(result, 'a').checks], ['passed', 2]);
});

test('LANG-016 an IF on a variable is true as far as the checks allow it', async () => {
  const branches = ['IF a > 5 V', "  LOG 'high'", 'ENDIF', 'IF a < 1 V', "  LOG 'low'", 'ENDIF'];
  const logs = async (...lines: string[]) => {
    const result = await dryRun(goal(...read('a'), ...lines));
    assert.is(result.outcome, 'passed', goalOf(result, 'a').message);
    assert.equal(
      result.diagnostics.filter(({ code }) => code === 'SCN243'),
      [],
    );
    return eventsOf(result, 'log').map(({ message }) => message);
  };
  assert.equal(await logs(...branches, 'CHECK a < 9 V'), ['high']);
  assert.equal(await logs(...branches, 'CHECK a < 3 V'), ['low']);
  assert.equal(await logs('IF a > 0.5 V', "  ERROR 'too much'", 'ENDIF', 'CHECK a > -9 V'), []);
});

test('LANG-021 a LOOP WHILE goes round once, whatever its condition is about', async () => {
  for (const condition of ['AI01 > 5 V', 'a > 5 V', 'n < 3', '1 V < 2 V']) {
    const source = goal(
      ...read('a'),
      'SET n 0',
      `LOOP WHILE ${condition}`,
      "  LOG 'x'",
      'ENDLOOP',
      'CHECK AI02 < 5 V',
    );
    const result = await dryRun(source);
    assert.equal([result.outcome, eventsOf(result, 'log').length], ['passed', 1], condition);
  }
});

const sampled = (...lines: string[]): string => goal('SAMPLE AI01 START 100ms', 'WAIT 2 s', ...lines);

const pointsOf = ({ samples }: Result): number[] =>
  (samples[0]?.points ?? []).map(([, value]) => Number(value));

const STATISTICS: [name: string, lines: string[], of: (points: readonly number[]) => number][] = [
  ['avg', ['CHECK AI01.avg > 30 V'], (all) => all.reduce((a, b) => a + b) / all.length],
  ['max', ['CHECK 7 <= AI01.max <= 8 V', 'CHECK AI01.min < 2 V'], (all) => Math.max(...all)],
  ['delta', ['CHECK AI01.delta < -3 V', 'CHECK AI01.max <= 2 V'], (all) => all.at(-1)! - all[0]!],
  ['first', ['CHECK AI01.first > 4 V', 'CHECK AI01.last < 1 V'], (all) => all[0]!],
  ['stddev', ['CHECK AI01.stddev > 0.5 V', 'CHECK -0.1 <= AI01.delta <= 0.1 V'], deviationOf],
  ['last', ['CHECK AI01.avg <= 0.5', 'RANGE AI01 2 .. 3 mbar'], (all) => all.at(-1)!],
];

function deviationOf(all: readonly number[]): number {
  const mean = all.reduce((a, b) => a + b) / all.length;
  return Math.sqrt(all.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (all.length - 1));
}
for (const [name, lines, of] of STATISTICS)
  test(`LANG-040 the points of a window meet the checks of its statistics: ${lines.join('; ')}`, async () => {
    const result = await dryRun(sampled('SAMPLE AI01 STOP', ...lines));
    assert.is(result.outcome, 'passed', goalOf(result, 'a').message);
    near(numberOf(result, `AI01.${name}`), of(pointsOf(result)), name);
  });

test('LANG-041 one window rises and falls as each IF_DELTA wants, within the bounds of its points', async () => {
  const source = goal(
    'RANGE AI01 1 .. 4 V',
    'SAMPLE AI01 START 100ms',
    ...[
      'WAIT 1 s',
      'IF_DELTA AI01 1s +1 V',
      'WAIT 1 s',
      'IF_DELTA AI01 1s -1 V',
      'WAIT 1 s',
      'IF_DELTA AI01 1s 0 V',
    ],
    ...['ΔAI01 <= 2 V', 'SAMPLE AI01 STOP', 'MAX AI01.stddev 3 V', 'CALC m = AVG AI01', 'CHECK m < 3 V'],
  );
  const result = await dryRun(source);
  assert.is(result.outcome, 'passed', goalOf(result, 'a').message);
  const points = pointsOf(result);
  assert.is(points.length, 31);
  assert.ok(
    points.every((value) => value >= 1 && value <= 4),
    `${points}`,
  );
  assert.ok(points[10]! - points[0]! > 1 && points[20]! - points[10]! < -1, `${points}`);
});

test('LANG-041 a change that the bounds of the points do not allow fails, SCN243', async () => {
  const result = await dryRun(goal('RANGE AI01 1 .. 2 V', 'IF_DELTA AI01 1s +5 V', 'CHECK AI02 < 5 V'));
  assert.is(result.outcome, 'failed');
  assert.equal(
    eventsOf(result, 'check')
      .filter(({ outcome }) => outcome === 'failed')
      .map(({ kind }) => kind),
    ['IF_DELTA'],
  );
  assert.ok(result.diagnostics.some(({ code, pos }) => code === 'SCN243' && pos.line === 3));
});

test('LANG-080 a person answers with a number that the checks take', async () => {
  const source = goal("PROMPT 'Weight?' AS w", 'CHECK 2 <= w <= 3 kg', 'CALC d = MUL "w, 2"', 'MAX d 5 kg');
  const result = await dryRun(source);
  assert.is(result.outcome, 'passed', goalOf(result, 'a').message);
  assert.equal([numberOf(result, 'd'), result.variables.w?.simulated], [2 * numberOf(result, 'w'), true]);
});

test('LANG-051 Timer is the virtual time where that will do, else a value that will', async () => {
  const result = await dryRun(goal('WAIT 3 s', 'CHECK Timer <= 5 s', 'CHECK Timer > 9 s', 'GET Timer'));
  assert.is(result.outcome, 'passed');
  assert.equal(
    eventsOf(result, 'reading').map(({ value, source }) => [value > 9 || value, source]),
    [
      [3, 'timer'],
      [true, 'simulation'],
      [3, 'timer'],
    ],
  );
});

test('LANG-059 what an API, a valve and the bridge would answer holds for each command that looks', async () => {
  const source = goal(
    "API_GET '/api/v1/state'",
    ...['ASSERT_STATUS 200', 'ASSERT_STATUS 404', 'ASSERT_JSON mode = real', 'ASSERT_JSON mode != real'],
    ...['ASSERT_JSON a.0.b > 3', 'ASSERT_JSON a.0.b < 3', 'ASSERT_JSON tags contains x', 'SAVE_JSON body'],
    ...[
      'ASSERT_VALVE valve-1 true',
      'ASSERT_VALVE valve-1 false',
      "EXPECT_DEVICE '/dev/ttyACM1' 'CH343' 'serial'",
    ],
    ...['EXPECT_I2C_BUS i2c-1', 'EXPECT_I2C_CHIP 0x48 ads1115'],
  );
  const result = await dryRun(source);
  assert.is(result.outcome, 'passed', goalOf(result, 'a').message);
  assert.is(eventsOf(result, 'check').length, 12);
  assert.equal(result.variables.body, { value: {}, simulated: true });
});

test('LANG-069 a reading is asked on each scale of its sensor, and on no other', async () => {
  const lines = [
    ...read('a'),
    'CHECK a > 5 V',
    'CHECK a < 3 mbar',
    'CHECK AI01 > 1 V',
    'CHECK AI01 < -5 mbar',
  ];
  assert.is((await dryRun(goal(...lines), { registry: calibratedRig })).outcome, 'passed');
  const uncalibrated = await dryRun(goal(...lines));
  assert.is(uncalibrated.outcome, 'passed');
  assert.ok(
    uncalibrated.diagnostics.some(({ code, severity }) => code === 'SCN227' && severity === 'warning'),
  );
  const other = await dryRun(goal(...lines, "CALC s = MAX '5 s, 1 s'", 'CHECK a < s'), {
    registry: calibratedRig,
  });
  assert.equal([outcomesOf(other), codesOf(other)], [['a error'], []]);
  assert.match(goalOf(other, 'a').message ?? '', 'cal-nc goes to mbar, not to s');
});

test('LANG-039 a bound that nothing reads on the way taken gets a reading, which can fail', async () => {
  const source = "GOAL b:\n  MAX AI03 2 V\n  MIN AI03 1 V\n  GOTO 'c'\nGOAL c:\n  CHECK AI01 < 5 V\n";
  const result = await dryRun(source);
  assert.equal(outcomesOf(result), ['b passed', 'c passed']);
  assert.is(goalOf(result, 'b').checks, 2);
  assert.is(outcomesOf(await dryRun(source, { sensors: { AI03: 9 } }))[0], 'b failed');
});

test('LANG-045 what only this rig cannot do is skipped, each time anew', async () => {
  const source = goal(
    'SET flow 5 l/min',
    'REPEAT 3:',
    '  SET pump $flow',
    '  CALC flow = ADD "flow, 4 l/min"',
    'REPEAT STOP',
    'USER x',
    'CHECK AI01 < 5 V',
  );
  const result = await dryRun(source);
  assert.is(result.outcome, 'passed', goalOf(result, 'a').message);
  assert.equal(
    eventsOf(result, 'actuate').map(({ sent }) => sent),
    [50, 90],
  );
  const ends = eventsOf(result, 'command.end').filter(
    ({ outcome, command }) => outcome === 'skipped' && command !== 'REPEAT',
  );
  assert.equal(
    ends.map(({ command, code }) => [command, code]),
    [
      ['SET', null],
      ['USER', null],
    ],
  );
});

test('LANG-051 the passes before it are heard of by nobody, and an abort ends them', async () => {
  const source = goal(...read('a'), ...read('b'), 'CALC d = SUB "a, b"', 'CHECK d > 3 V');
  const lines: string[] = [];
  const result = await dryRun(source, { out: (line) => lines.push(line) });
  assert.is(lines.filter((line) => line.includes('CHECK d')).length, 1);
  assert.equal([result.events[0]?.seq, eventsOf(result, 'run.start').length], [0, 1]);
  assert.is((await dryRun(source, { signal: AbortSignal.abort() })).outcome, 'aborted');
});

test.run();
