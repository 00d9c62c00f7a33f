import * as assert from 'uvu/assert';
import { patiently } from '../../test-kit/scenario/request-paused-clock.ts';
import { dryRun, eventsOf, runOn, withBridge } from '../../test-kit/scenario/run-on.ts';
import { suite } from '../../test-kit/suite.ts';
import { csvTable } from '../outputs/csv.ts';
import { junitXml } from '../outputs/junit.ts';
import { rowsOf } from '../outputs/record.ts';
import { reportPage } from '../outputs/report/page.ts';
import { pointsText } from '../run/check-text.ts';
import type { Result } from '../run/result.ts';

const test = suite('rows of checks');

const record = (result: Result) => ({ result, version: '1', scenarioHash: 'f00d' });
const rowTexts = (result: Result, goal = 0) =>
  rowsOf(result, goal).map(
    (row) => `${row.check.outcome} ${row.check.kind} ${row.check.actual} ${row.points}`,
  );

const SAMPLED = `GOAL:
  SET NAME 'Sampled'
  MAX AI01 3 V
  MIN AI01 0 V
  SAMPLE AI01 START 10ms
  WAIT 300ms
  SAMPLE AI01 STOP
  CHECK AI01 <= 3 V
`;

/** A rise and a fall: the highest value is neither the first nor the last. */
const VALUES = [1, 1.5, 2.000_000_000_3, 1.7, 0.5];

/** The run of SAMPLED on a bridge whose sensor gives VALUES in turn, the last one from then on. */
async function sampled(values = VALUES): Promise<{ result: Result; lines: string[] }> {
  const lines: string[] = [];
  let result: Result | undefined;
  await withBridge(async (twin) => {
    let at = 0;
    twin.sensors['nc-sensor'] = () => ({ value: values[Math.min(at++, values.length - 1)]!, unit: 'V' });
    result = await runOn(twin, SAMPLED, { ...patiently(), out: (line) => lines.push(line) });
  });
  return { result: result!, lines };
}

test('LANG-082 MAX and MIN over samples are one row each with their worst point, its time and the count', async () => {
  const { result, lines } = await sampled();
  const judged = eventsOf(result, 'check').filter(({ kind }) => kind === 'MAX');
  assert.ok(judged.length > VALUES.length, `the record keeps all ${judged.length} judgements`);
  const count = judged.length;
  assert.equal(rowTexts(result), [
    `passed MAX 2.0000000003 ${count}`,
    `passed MIN 0.5 ${count}`,
    'passed CHECK 0.5 1',
  ]);
  const [max] = rowsOf(result, 0);
  const worst = judged.find(({ actual }) => actual === 2.000_000_000_3)!;
  const points = `worst of ${count} values, at ${Math.round(worst.t) / 1000} s`;
  assert.is(pointsText(max!), points);
  const html = reportPage(record(result));
  assert.match(html, `<td class="n">&lt;= 3 V</td><td class="n">2 V</td>`);
  assert.match(html, `<td>${points}</td>`);
  assert.is(html.match(/<td>MAX AI01<\/td>/g)?.length, 1);
  const rows = csvTable(record(result))
    .split('\r\n')
    .filter((row) => row.includes(',check,'));
  assert.is(rows.length, 3);
  assert.match(rows.find((row) => row.includes('worst'))!, `,check,AI01,2,V,,3,passed,`);
  assert.is(junitXml(record(result)).match(/within \[-∞, 3\] V \(worst of/g)?.length, 1);
  assert.equal(
    lines.filter((line) => line.includes('MAX')),
    ['  [passed] MAX AI01 3 V', `  [passed] MAX AI01 <= 3 V: 2 V, ${points}`],
  );
  assert.ok(lines.includes('  [passed] WAIT 300ms'), 'a point is not shown as the value of a pause');
});

test('LANG-082 a violation among the points is the row, with how many there were', async () => {
  const { result, lines } = await sampled([1, 3.000_04, 1, 3.5, 3.2, 1]);
  assert.is(result.outcome, 'failed');
  const max = rowsOf(result, 0).find(({ check }) => check.kind === 'MAX')!;
  assert.equal([max.check.actual, max.check.outcome, max.failed], [3.5, 'failed', 3]);
  assert.ok(
    lines.some((line) => /^ {2}\[failed\] MAX AI01 <= 3 V: 3\.5 V, .*, 3 outside$/.test(line)),
    lines.join('\n'),
  );
});

test('LANG-082 a value just above its limit is never shown as the limit', async () => {
  const { result, lines } = await sampled([1, 3.000_04, 1]);
  assert.is(result.outcome, 'failed');
  assert.ok(
    lines.some((line) => line.includes('MAX AI01 <= 3 V: 3.00004 V')),
    lines.join('\n'),
  );
  assert.match(reportPage(record(result)), '<td class="n">3.00004 V</td>');
  assert.match(junitXml(record(result)), 'got 3.00004 V');
  assert.match(csvTable(record(result)), ',AI01,3.00004,V,,3,failed,');
});

test('LANG-082 each attempt of a goal, and each limit, has a row of its own', async () => {
  const source = `GOAL:
  SET NAME 'Retry'
  MAX AI01 3 V
  GET AI01
  GET AI01
  MAX AI01 2 V
  GET AI01
  FAIL 'again' RETRY 1
`;
  const result = await dryRun(source, { sensors: { AI01: '2.5 V' } });
  assert.equal(rowTexts(result), [
    'passed MAX 2.5 2',
    'failed MAX 2.5 2',
    'passed MAX 2.5 2',
    'failed MAX 2.5 2',
  ]);
});

test('LANG-082 readings, samples and checks carry the resolution of their sensor in the unit of the value', async () => {
  const result = await dryRun('GOAL a:\n  GET AI01 mV\n  CHECK AI01 <= 3 V\n  GET x\n', {
    sensors: { AI01: '1 V' },
    variables: { x: 5 },
  });
  assert.equal(
    eventsOf(result, 'reading').map(({ resolution }) => resolution),
    [0.125, 0.000_125, undefined],
  );
  assert.equal(
    eventsOf(result, 'check').map(({ resolution }) => resolution),
    [0.000_125],
  );
});

test('LANG-082 a text shows a variable without the noise of its calculation; the variable keeps it', async () => {
  const result = await dryRun("GOAL a:\n  CALC s = ADD '0.1, 0.2'\n  LOG 'sum $s'\n  CHECK s <= 1\n");
  assert.is(eventsOf(result, 'log')[0]?.message, 'sum 0.3');
  assert.is(result.variables.s?.value, 0.1 + 0.2);
});

test.run();
