import * as assert from 'uvu/assert';
import { eventsOf, goalOf, resultOf } from '../../test-kit/scenario/sample-result.ts';
import { suite } from '../../test-kit/suite.ts';
import { checksCsv } from './checks-csv.ts';

const test = suite('one row for each check');

const check = {
  type: 'check' as const,
  goal: 0,
  kind: 'CHECK' as const,
  sensor: 'AI01',
  op: 'range' as const,
  low: 0.6,
  high: 0.67,
  actual: -0.5,
  unit: 'V',
  outcome: 'passed' as const,
  message: '=HYPERLINK("http://x")',
};

const tested = { unit: '+1', part: null, revision: 'C', batch: '@b', operator: '-A, B' };
const result = resultOf({
  outcome: 'error',
  goals: [goalOf(0, 'error', { message: 'no answer' }), goalOf(1, 'skipped', { checks: 0 })],
  events: eventsOf(check),
  bench: true,
});
const record = { result, version: '1', scenarioHash: 'ab', tested };

test('LANG-081 a check is a row with limits, outcome and unit; its block and run may be worse than it', () => {
  const [head = '', first, second, third, ...rest] = checksCsv([
    { name: 'Mask', record },
    { name: 'Leak', file: 'leak.oql', outcome: 'skipped', reason: 'left out by --tag', tested },
  ]).split('\r\n');
  assert.match(
    head,
    'scenario,file,started_at,run_outcome,block,block_outcome,check,sensor,value,unit,low,high,outcome',
  );
  const started = result.startedAt;
  const who = `'+1,,C,'@b,"'-A, B"`;
  // A negative number stays a number; a text that a spreadsheet would run stays a text.
  assert.is(
    first,
    `Mask,mask.oql,${started},error,goal 0,error,CHECK,AI01,-0.5,V,0.6,0.67,passed,"'=HYPERLINK(""http://x"")",,2025-01-15T00:00:00.000Z,mask.oql:4:3,${who},false,true,,`,
  );
  assert.is(
    second,
    `Mask,mask.oql,${started},error,goal 1,skipped,,,,,,,skipped,,,,mask.oql:4:3,${who},false,true,,`,
  );
  assert.is(third, `Leak,leak.oql,,skipped,,,,,,,,,skipped,left out by --tag,,,,${who},,,,`);
  assert.equal(rest, ['']);
});

test.run();
