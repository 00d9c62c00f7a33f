import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { patiently } from '../../test-kit/scenario/request-paused-clock.ts';
import {
  codesOf,
  dryRun,
  eventsOf,
  goalOf,
  outcomesOf,
  runOn,
  withBridge,
} from '../../test-kit/scenario/run-on.ts';
import { suite } from '../../test-kit/suite.ts';
import { Interpreter } from '../interpreter.ts';
import { resultOfEvents } from '../records/result-of-events.ts';
import type { Result } from './result.ts';

const test = suite('loops');

test('LANG-021 LOOP WHILE goes round while it is true, ITER counts from 0', () =>
  withBridge(async (twin) => {
    let volts = 0;
    twin.sensors['nc-sensor'] = () => volts++;
    const source =
      "GOAL a:\n  LOOP WHILE AI01 < 3 V\n    LOG 'round $ITER'\n  ENDLOOP\n  CHECK AI01 >= 3 V\n";
    const result = await runOn(twin, source);
    assert.is(result.outcome, 'passed');
    assert.equal(
      eventsOf(result, 'log').map(({ message }) => message),
      ['round 0', 'round 1', 'round 2'],
    );
  }));

test('LANG-021 LOOP WHILE past 1000 rounds is an error', () =>
  withBridge(async (twin) => {
    const source =
      'GOAL a:\n  LOOP WHILE 1 V < 2 V\n    SET x 1\n  ENDLOOP\n  CHECK x = 1\nGOAL b:\n  CHECK AI01 <= 5 V\n';
    const result = await runOn(twin, source, patiently());
    assert.equal(outcomesOf(result), ['a error', 'b passed']);
    assert.match(goalOf(result, 'a').message ?? '', /1000 rounds/);
    const rounds = eventsOf(result, 'variable').filter(({ name }) => name === 'ITER');
    assert.is(rounds.length, 1000);
  }));

test('LANG-076 a check in a loop of no rounds leaves its goal without a verdict', () =>
  withBridge(async (twin) => {
    const source = 'GOAL a:\n  LOOP WHILE AI01 > 4 V\n    CHECK AI01 < 5 V\n  ENDLOOP\n';
    const result = await runOn(twin, source);
    assert.equal([result.ok, outcomesOf(result)], [false, ['a inconclusive']]);
    assert.match(goalOf(result, 'a').message ?? '', 'CHECK on line 3 depends on LOOP on line 2');
  }));

test('LANG-022 a jump out of nested loops skips the goals between, CONFIG blocks among them too', async () => {
  const source = `
GOAL a:
  REPEAT 3:
    LOOP 3 TIMES
      GOTO 'd'
    ENDLOOP
  LOG 'never'
CONFIG between:
  SET valve-1 on
GOAL c:
  CHECK AI01 <= 5 V
GOAL d:
  CHECK AI01 <= 5 V
`;
  const result = await dryRun(source);
  assert.equal(outcomesOf(result), ['a passed', 'between skipped', 'c skipped', 'd passed']);
  assert.is(eventsOf(result, 'log').length, 0);
  assert.equal([result.passed, result.total, result.outcome, result.ok], [1, 4, 'skipped', true]);
});

test('LANG-022 a GOTO in the teardown is not followed', async () => {
  const source = "GOAL a:\n  CHECK AI01 <= 5 V\nCONFIG close:\n  GOTO 'a'\nCONFIG last:\n  SET valve-1 off\n";
  assert.equal(outcomesOf(await dryRun(source)), ['a passed', 'close error', 'last passed']);
});

test('LANG-033 IF_FAIL sees what failed in its goal and what erred in an earlier one', () =>
  withBridge(async (twin) => {
    twin.sensors['nc-sensor'] = { value: null };
    const source = `
GOAL a:
  GET AI01
GOAL b:
  IF_FAIL 'nc-sensor' THEN
    LOG 'AI01 is dead'
  END
  IF_FAIL 'AI02' THEN
    LOG 'AI02 is dead'
  END
  CHECK AI02 <= 5 V
`;
    const result = await runOn(twin, source);
    assert.equal(
      eventsOf(result, 'log').map(({ message }) => message),
      ['AI01 is dead'],
    );
  }));

test('LANG-049 LANG-050 macros of an included library run, found beside the file and under the library root', async () => {
  const root = mkdtempSync(join(tmpdir(), 'library-'));
  try {
    mkdirSync(join(root, 'lib'));
    writeFileSync(join(root, 'lib', 'hold.oql'), 'MACRO hold:\n  SET pump $1 l/min\n  CHECK AI01 <= $2 V\n');
    const source = "INCLUDE 'hold.oql'\nGOAL a:\n  CALL hold 2 5\n";
    const interpreter = new Interpreter({ libraryRoot: root });
    const result = await interpreter.run(source, 'https://example.org/scenario/7');
    assert.is(result.outcome, 'passed');
    assert.match(eventsOf(result, 'actuate')[0]?.pos?.file ?? '', /hold\.oql$/);
    const missing = await new Interpreter().run(source, 'https://example.org/scenario/7');
    assert.is(missing.outcome, 'error');
    assert.ok(codesOf(missing).includes('SCN204'));
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
});

test('PASS and FAIL with a parameter speak for that parameter', async () => {
  const source = `
GOAL a:
  CHECK AI01 <= 5 V
  CHECK AI02 <= 5 V
  PASS 'AI01' 'inlet good'
  FAIL 'AI01' 'inlet bad'
  PASS 'AI02' 'outlet good'
  FAIL 'AI02' 'outlet bad'
  PASS 'all good'
  FAIL 'not good'
`;
  const result = await dryRun(source, { sensors: { AI01: 1, AI02: 9 } });
  assert.equal(
    eventsOf(result, 'log').map(({ level, message }) => `${level} ${message}`),
    ['pass inlet good', 'fail outlet bad', 'fail not good'],
  );
});

test('LANG-023 a retry in which no check ran takes away no violated limit, OPTIONAL or not', async () => {
  for (const optional of ['', '\n  OPTIONAL'])
    await withBridge(async (twin) => {
      const values = [2, 2, 0.5];
      twin.sensors['nc-sensor'] = () => ({ value: values.shift() ?? 0.5 });
      const source = `GOAL a:${optional}
  IF AI01 > 1 V
    CHECK AI01 <= 1.5 V
  ENDIF
  FAIL 'too high' RETRY 3
GOAL b:
  CHECK AI01 <= 1 V
`;
      const result = await runOn(twin, source);
      const { outcome, attempts, checks, failedChecks, message } = goalOf(result, 'a');
      assert.equal([result.outcome, result.ok], ['failed', false]);
      assert.equal([outcome, attempts, checks, failedChecks], ['failed', 2, 1, 1]);
      assert.match(message ?? '', /^too high/);
      assert.equal(
        eventsOf(result, 'block.end').map((end) => `${end.outcome} ${end.checks} ${end.failedChecks}`),
        ['failed 1 1', 'failed 1 1', 'passed 1 0'],
      );
      assert.equal(resultOfEvents(result.events, 'test.oql', '').goals[0]?.outcome, 'failed');
    });
});

test('LANG-023 a retry in which no check ran follows the GOTO of the attempt that failed', () =>
  withBridge(async (twin) => {
    const values = [2, 2, 0.5];
    twin.sensors['nc-sensor'] = () => ({ value: values.shift() ?? 0.5 });
    const source = `GOAL a:
  IF AI01 > 1 V
    CHECK AI01 <= 1.5 V
  ENDIF
  FAIL 'too high' GOTO 'c'
  FAIL 'too high' RETRY 1
GOAL b:
  CHECK AI01 <= 1 V
GOAL c:
  CHECK AI01 <= 1 V
`;
    assert.equal(outcomesOf(await runOn(twin, source)), ['a failed', 'b skipped', 'c passed']);
  }));

test('LANG-076 the checks of all entries of a goal count, in the result and in the record', () =>
  withBridge(async (twin) => {
    const values = [2, 0.5];
    twin.sensors['nc-sensor'] = () => ({ value: values.shift() ?? 0.5 });
    const source = `DEFAULT n 0
GOAL a:
  CHECK AI01 <= 1 V
GOAL b:
  CALC n = ADD 'n, 1'
  IF n < 2
    GOTO 'a'
  ENDIF
  CHECK n = 2
`;
    const result = await runOn(twin, source);
    const counts = ({ goals }: Pick<Result, 'goals'>) =>
      goals.map((one) => `${one.outcome} ${one.checks} ${one.failedChecks} ${one.message ?? ''}`);
    assert.match(counts(result)[0] ?? '', /^failed 2 1 AI01/);
    assert.equal(counts(resultOfEvents(result.events, 'test.oql', '')), counts(result));
  }));

test.run();
