import * as assert from 'uvu/assert';
import { eventsOf, resultOf } from '../../test-kit/scenario/sample-result.ts';
import { test } from '../../test-kit/suite.ts';
import { csvTable } from './csv.ts';

const lines = (...bodies: Parameters<typeof eventsOf>) =>
  csvTable({
    result: resultOf({ events: eventsOf(...bodies), bench: true }),
    version: '1.2.3',
    scenarioHash: 'abc',
  }).split('\r\n');

test('what was measured, judged and moved is a row each, with its block and its marks', () => {
  const [head, ...rows] = lines(
    { type: 'wait', ms: 1, virtual: false },
    { type: 'sample', sensor: 'AI01', action: 'gap', value: null, unit: 'V', stats: null, goal: 1 },
    {
      type: 'check',
      goal: 0,
      kind: 'CHECK',
      sensor: 'AI01',
      op: 'range',
      low: 0.6,
      high: 0.67,
      actual: 0.9,
      unit: 'V',
      outcome: 'failed',
      message: 'too "high", by far',
    },
    { type: 'run.end', outcome: 'failed', ok: false, judged: true, passed: 1, total: 2, durationMs: 4000 },
  );
  assert.is(
    head,
    'seq,time,t_ms,block,event,of,value,unit,low,high,outcome,calibration,text,simulated,bench,unit_under_test,part,revision,batch,operator,run,station',
  );
  assert.equal(rows, [
    '1,2025-01-15T00:00:00.100Z,100,goal 1,sample.gap,AI01,,V,,,,,,false,false,,,,,,,',
    '2,2025-01-15T00:00:00.200Z,200,goal 0,check,AI01,0.9,V,0.6,0.67,failed,,"too ""high"", by far",false,false,,,,,,,',
    '3,2025-01-15T00:00:00.300Z,300,,run.end,,"1/2",,,,failed,,,false,false,,,,,,,',
    '',
  ]);
});

test('a text that a spreadsheet would run stays a text; a negative number stays a number', () => {
  const [, , row = ''] = lines(
    { type: 'log', level: 'info', message: 'no row' },
    {
      type: 'actuate',
      target: '=cmd()',
      peripheral: 'valve-1',
      requested: '-1\n2',
      sent: 1,
      unit: null,
      ok: true,
    },
    {
      type: 'reading',
      sensor: 'AI01',
      value: -12,
      unit: 'mbar',
      raw: null,
      at: '',
      ageMs: 1,
      source: 'x',
      simulated: true,
    },
  );
  assert.match(
    lines({
      type: 'actuate',
      target: '=cmd()',
      peripheral: 'p',
      requested: '@a',
      sent: 1,
      unit: null,
      ok: true,
    })[1] ?? '',
    ",'=cmd(),'@a,",
  );
  assert.match(row, ',AI01,-12,mbar,');
  assert.match(row, 'true,false');
});

test.run();
