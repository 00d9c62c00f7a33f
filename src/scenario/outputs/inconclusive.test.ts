import * as assert from 'uvu/assert';
import { dryRun, runOn, withBridge } from '../../test-kit/scenario/run-on.ts';
import { suite } from '../../test-kit/suite.ts';
import { resultOfEvents } from '../records/result-of-events.ts';
import { endingOf } from '../records/run-ending.ts';
import type { Result } from '../run/result.ts';
import { csvTable } from './csv.ts';
import { junitXml } from './junit.ts';
import { reportPage } from './report/page.ts';

const test = suite('inconclusive and done');

const INCONCLUSIVE = `GOAL:
  SET NAME 'Gate'
  IF AI01 > 4 V
    CHECK AI01 < 5 V
  ENDIF
GOAL:
  SET NAME 'Open'
  SET valve-1 on
  SET valve-1 off
GOAL:
  SET NAME 'Sure'
  CHECK AI01 < 5 V
`;
const PROCEDURE = "GOAL:\n  SET NAME 'Open'\n  SET valve-1 on\nCONFIG close:\n  SET valve-1 off\n";
const OPTIONAL = INCONCLUSIVE.replace("'Gate'", "'Gate'\n  OPTIONAL");
const REASON = 'no check ran: CHECK on line 4 depends on IF on line 3';

async function run(source: string): Promise<{ result: Result; lines: string[] }> {
  const lines: string[] = [];
  let result: Result | undefined;
  await withBridge(async (twin) => {
    result = await runOn(twin, source, { out: (line) => lines.push(line) });
  });
  return { result: result!, lines };
}

const record = (result: Result) => ({ result, version: '1', scenarioHash: 'f00d' });

test('LANG-076 an inconclusive goal is so in text, events, HTML, CSV and JUnit, and the run is not ok', async () => {
  const { result, lines } = await run(INCONCLUSIVE);
  assert.equal([result.outcome, result.ok, result.passed, result.total], ['inconclusive', false, 1, 3]);
  assert.equal(
    lines.filter((line) => line.startsWith('[')),
    ['[inconclusive] Gate', '[done] Open', '[passed] Sure'],
  );
  assert.is(lines.at(-1), '1/3 passed, 1 done, 1 inconclusive');
  const html = reportPage(record(result));
  assert.match(html, '<div class="banner inconclusive"><strong>inconclusive</strong>');
  assert.match(html, `<td class="inconclusive">inconclusive</td><td>Gate</td>`);
  assert.match(html, `<td class="done">done</td><td>Open</td>`);
  assert.match(html, REASON);
  const csv = csvTable(record(result));
  assert.match(csv, `,Gate,block.end,,,,,,inconclusive,,${REASON},`);
  assert.match(csv, ',Open,block.end,,,,,,done,,no checks,');
  assert.match(csv, ',run.end,,"1/3",,,,inconclusive,');
  const junit = junitXml(record(result));
  assert.match(junit, `<skipped message="inconclusive: ${REASON}"/>`);
  assert.match(junit, '<skipped message="done: no checks"/>');
  assert.match(junit, 'tests="3" failures="0" errors="0" skipped="2"');
  assert.match(junit, '<property name="outcome" value="inconclusive"/>');
});

test('LANG-076 an OPTIONAL goal is inconclusive everywhere, and the run is judged by the others', async () => {
  const { result, lines } = await run(OPTIONAL);
  assert.equal([result.outcome, result.ok, result.judged], ['passed', true, true]);
  assert.is(lines.at(-1), '1/3 passed, 1 done, 1 inconclusive');
  assert.match(reportPage(record(result)), '<div class="banner passed"><strong>passed</strong>');
  assert.equal(
    [endingOf(result, 'x').status, endingOf(result, 'x').ok, endingOf(result, 'x').errors],
    ['passed', true, []],
  );
});

test('LANG-076 a run of procedures is shown as done, is not a passed case, and its record is not ok', async () => {
  const { result, lines } = await run(PROCEDURE);
  assert.equal([result.outcome, result.ok, result.judged, result.passed], ['passed', true, false, 1]);
  assert.is(lines.at(-1), '1/2 passed, 1 done');
  assert.match(reportPage(record(result)), '<div class="banner done"><strong>done</strong>');
  assert.match(csvTable(record(result)), ',run.end,,"1/2",,,,done,');
  const { status, ok } = endingOf(result, 'x');
  assert.equal([status, ok], ['done', false]);
});

test('LANG-076 the record of an inconclusive run says which goal and why', async () => {
  const { result } = await run(INCONCLUSIVE);
  const { status, ok, errors } = endingOf(result, 'x');
  assert.equal([status, ok], ['inconclusive', false]);
  assert.equal(errors, [{ code: 'inconclusive', message: `Gate: ${REASON}` }]);
});

test('LANG-076 what the events tell of a run equals its result, also where a goal is entered again', async () => {
  const again = `CONFIG start:
  SET round 0
GOAL:
  SET NAME 'Twice'
  IF round = 1
    CHECK AI01 < 5 V
    GOTO 'End'
  ENDIF
GOAL:
  SET NAME 'Again'
  SET round 1
  GOTO 'Twice'
GOAL:
  SET NAME 'End'
  CHECK AI01 < 5 V
`;
  const leaves = `CONFIG start:
  SET round 0
GOAL:
  SET NAME 'Twice'
  IF round = 0
    CHECK AI01 < 5 V
  ENDIF
  IF round = 1
    GOTO 'End'
  ENDIF
GOAL:
  SET NAME 'Again'
  SET round 1
  GOTO 'Twice'
GOAL:
  SET NAME 'End'
  CHECK AI01 < 5 V
`;
  const retry = `CONFIG start:
  SET tries 0
GOAL:
  SET NAME 'Retry'
  IF tries = 0
    SET tries 1
    CHECK AI01 < 0.5 V
  ELSE
    CHECK AI01 < 5 V
  ENDIF
  FAIL 'again' RETRY 1
`;
  for (const source of [INCONCLUSIVE, PROCEDURE, OPTIONAL, again, leaves, retry]) {
    const result = await dryRun(source, { sensors: { AI01: '1 V' } });
    const told = resultOfEvents(result.events, 'test.oql', result.startedAt);
    for (const key of ['outcome', 'ok', 'judged', 'passed', 'total'] as const)
      assert.equal(told[key], result[key]);
    const plain = ({ goals }: Result) =>
      goals.map(({ name, outcome, checks, message, procedure, optional }) => [
        name,
        outcome,
        checks,
        message,
        procedure,
        optional,
      ]);
    assert.equal(plain(told), plain(result));
  }
});

test('LANG-076 a record of an earlier version, which does not say whether a goal was judged, keeps its verdict', async () => {
  const { result } = await run('GOAL a:\n  CHECK AI01 < 5 V\n');
  const { judged: _, ...older } = result;
  assert.match(reportPage(record(older as Result)), '<div class="banner passed">');
  const events = result.events.map(({ ...event }) => {
    if ('judged' in event) delete (event as { judged?: boolean }).judged;
    return event;
  });
  assert.is(resultOfEvents(events, 'test.oql', '').judged, true);
});

test.run();
