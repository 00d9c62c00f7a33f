import type { CheckRow } from '../events/check-rows.ts';
import { actualText, limitsText, rowMessage } from '../run/check-text.ts';
import { shownOutcome, shownRunOutcome } from '../run/outcome.ts';
import type { GoalResult } from '../run/result.ts';
import { escapeAttribute, escapeMarkup } from './markup.ts';
import {
  calibrationsOf,
  leftOutOf,
  markOf,
  namedOf,
  type RunRecord,
  recordCells,
  rowsOf,
  safeStatesOf,
  scenarioNameOf,
  startOf,
} from './record.ts';

const seconds = (ms: number): string => (ms / 1000).toFixed(3);

const attributes = (pairs: Readonly<Record<string, string | number>>): string =>
  Object.entries(pairs)
    .map(([name, value]) => ` ${name}="${escapeAttribute(String(value))}"`)
    .join('');

/**
 * A run as JUnit XML: one test case per block, CONFIG too. The cases of a simulated run are all skipped, since nothing
 * was tested; what they would have said is their output.
 */
export function junitXml(record: RunRecord): string {
  return documentOf('svc-rig', [runSuite(record)]);
}

/** A scenario of a suite: its run, or why there is none. */
export type JunitEntry = { readonly name: string } & (
  | { readonly record: RunRecord }
  | {
      readonly file: string;
      /** `error`: it could not be run; `skipped`: it was not reached or not selected. */
      readonly outcome: 'error' | 'skipped';
      readonly reason: string;
    }
);

/**
 * Several scenarios in one document, one test suite for each, whose name is the class of its cases: a scenario that is run
 * twice is distinguished. Those that were not run have a case that says why.
 */
export function junitOfSuite(name: string, entries: readonly JunitEntry[]): string {
  const suites = entries.map((entry) =>
    'record' in entry ? runSuite(entry.record, entry.name) : unrunSuite(entry),
  );
  return documentOf(name, suites);
}

interface TestSuite {
  readonly cases: readonly Verdict[];
  readonly durationMs: number;
  readonly xml: string;
}

function documentOf(name: string, suites: readonly TestSuite[]): string {
  const cases = suites.flatMap((one) => one.cases);
  const durationMs = suites.reduce((sum, one) => sum + one.durationMs, 0);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${attributes({ name, ...totalsOf(cases, durationMs) })}>`,
    ...suites.map((one) => one.xml),
    '</testsuites>',
    '',
  ].join('\n');
}

function totalsOf(cases: readonly Verdict[], durationMs: number) {
  const count = (kind: Verdict['kind']) => cases.filter((one) => one.kind === kind).length;
  return {
    tests: cases.length,
    failures: count('failure'),
    errors: count('error'),
    skipped: count('skipped'),
    time: seconds(durationMs),
  };
}

function suiteXml(
  head: Readonly<Record<string, string>>,
  durationMs: number,
  properties: readonly [string, string][],
  cases: readonly Verdict[],
): TestSuite {
  const { name = '', ...rest } = head;
  const xml = [
    `  <testsuite${attributes({ name, ...totalsOf(cases, durationMs), ...rest })}>`,
    ...propertiesXml(properties, '    '),
    ...cases.map((one) => one.xml),
    '  </testsuite>',
  ].join('\n');
  return { cases, durationMs, xml };
}

function propertiesXml(properties: readonly [string, string][], indent: string): string[] {
  if (properties.length === 0) return [];
  const lines = properties.map(([name, value]) => `${indent}  <property${attributes({ name, value })}/>`);
  return [`${indent}<properties>`, ...lines, `${indent}</properties>`];
}

function unrunSuite(entry: Exclude<JunitEntry, { readonly record: RunRecord }>): TestSuite {
  const { name, file, outcome, reason } = entry;
  const one = {
    kind: outcome,
    xml: caseXml({ name, classname: name, file, time: seconds(0) }, outcome, reason, []),
  };
  return suiteXml({ name }, 0, [['outcome', outcome]], [one]);
}

function runSuite(record: RunRecord, given?: string): TestSuite {
  const { result } = record;
  const cases = result.goals.map((goal) => testCase(record, goal, given));
  const extra = runLevelCase(record, given);
  if (extra) cases.push(extra);
  const name = given ?? scenarioNameOf(result);
  const timestamp = result.startedAt.replace(/\.\d+Z$/, '');
  return suiteXml({ name, timestamp }, result.durationMs, properties(record), cases);
}

/** A case of a run on a bench or a simulation says so wherever a report tool shows it alone. */
function markedCase(
  result: Pick<RunRecord['result'], 'simulated' | 'bench'>,
  name: string,
): { readonly name: string; readonly marks: [string, string][] } {
  const mark = markOf(result);
  if (mark === '') return { name, marks: [] };
  return { name: `${name} (${mark})`, marks: [[result.simulated ? 'simulated' : 'bench', 'true']] };
}

interface Verdict {
  readonly kind: 'passed' | 'failure' | 'error' | 'skipped';
  readonly xml: string;
}

function testCase({ result }: RunRecord, goal: GoalResult, classname = result.source): Verdict {
  const rows = rowsOf(result, goal.index);
  const lines = rows.map(checkLine);
  const bad = rows.filter(({ check }) => check.outcome !== 'passed').map(rowMessage);
  const shown = goal.outcome === null ? 'none' : shownOutcome(goal.outcome, goal);
  const message = goal.message ?? (bad.join('; ') || `outcome ${shown}`);
  const kind = result.simulated ? 'skipped' : kindOf(goal);
  const reason = result.simulated
    ? `${markOf(result)}: ${shown === 'none' ? 'not run' : shown}`
    : shown === 'inconclusive' || shown === 'done'
      ? `${shown}: ${message}`
      : message;
  const { name, marks } = markedCase(result, goal.kind === 'CONFIG' ? `[CONFIG] ${goal.name}` : goal.name);
  const head = { name, classname, file: goal.pos.file, line: goal.pos.line };
  return { kind, xml: caseXml({ ...head, time: seconds(goal.durationMs) }, kind, reason, lines, marks) };
}

function checkLine(row: CheckRow): string {
  const { check } = row;
  const limits = limitsText(check);
  const wanted = limits === '' ? '' : `wanted ${limits}, `;
  return `[${check.outcome}] ${rowMessage(row)} (${wanted}got ${actualText(check)})`;
}

/** A goal that nothing was checked in is not a passed case: whoever counts cases would count it as evidence. */
function kindOf({ outcome, procedure }: GoalResult): Verdict['kind'] {
  if (outcome === 'passed') return procedure ? 'skipped' : 'passed';
  if (outcome === 'failed') return 'failure';
  return outcome === 'skipped' || outcome === 'inconclusive' || outcome === null ? 'skipped' : 'error';
}

/** A run can be worse than all of its blocks, for example when its preflight or its safe state failed. */
function runLevelCase({ result }: RunRecord, classname = result.source): Verdict | undefined {
  const rank = { passed: 0, skipped: 0, inconclusive: 0, failed: 1, error: 2, aborted: 3 } as const;
  const worst = Math.max(0, ...result.goals.map(({ outcome }) => (outcome ? rank[outcome] : 0)));
  if (result.simulated && result.goals.length > 0) return undefined;
  if (rank[result.outcome] <= worst) return undefined;
  const errors = result.diagnostics.filter(({ severity }) => severity === 'error');
  const isTold = (why: string) => errors.some(({ message }) => message.includes(why));
  const unsafe = safeStatesOf(result)
    .flatMap(({ steps }) => steps)
    .filter(({ ok, error = 'failed' }) => !ok && !isTold(error))
    .map(({ name, error = 'failed' }) => `safe state: ${name}: ${error}`);
  const lines = [...errors.map(({ code, message }) => `${code}: ${message}`), ...unsafe];
  const { name, marks } = markedCase(result, '[RUN]');
  const head = { name, classname, time: seconds(result.durationMs) };
  const message = lines[0] ?? `run ended ${result.outcome}`;
  return { kind: 'error', xml: caseXml(head, 'error', message, lines, marks) };
}

function caseXml(
  head: Readonly<Record<string, string | number>>,
  kind: Verdict['kind'],
  message: string,
  lines: readonly string[],
  marks: readonly [string, string][] = [],
): string {
  const open = `    <testcase${attributes(head)}`;
  const body: string[] = propertiesXml(marks, '      ');
  const detail = escapeMarkup(lines.join('\n'));
  if (kind === 'skipped') body.push(`      <skipped${attributes({ message })}/>`);
  else if (kind !== 'passed')
    body.push(`      <${kind}${attributes({ message, type: kind })}>${detail}</${kind}>`);
  if (lines.length > 0 && (kind === 'passed' || kind === 'skipped'))
    body.push(`      <system-out>${detail}</system-out>`);
  return body.length === 0 ? `${open}/>` : [`${open}>`, ...body, '    </testcase>'].join('\n');
}

function properties(record: RunRecord): [string, string][] {
  const { result, version, scenarioHash, tested } = record;
  const leftOut = leftOutOf(result);
  return [
    ['outcome', shownRunOutcome(result)],
    ...namedOf(tested),
    ...Object.entries(recordCells(record)).filter(([, value]) => value !== ''),
    ...(leftOut.length === 0 ? [] : [['goals.left_out', leftOut.join(', ')] as [string, string]]),
    ['mode', startOf(result)?.mode ?? 'unknown'],
    ['simulated', String(result.simulated)],
    ['bench', String(result.bench)],
    ['scenario.sha256', scenarioHash],
    ['calibrations', calibrationsOf(result).join(', ')],
    ['software.version', version],
    ['started_at', result.startedAt],
  ];
}
