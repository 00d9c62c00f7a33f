import type { CheckRow } from '../events/check-rows.ts';
import { actualText, limitsText, rowMessage } from '../run/check-text.ts';
import { shownOutcome, shownRunOutcome } from '../run/outcome.ts';
import type { GoalResult } from '../run/result.ts';
import { escapeAttribute, escapeMarkup } from './markup.ts';
import { calibrationsOf, markOf, type RunRecord, rowsOf, safeStatesOf, startOf } from './record.ts';

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
  const { result } = record;
  const cases = result.goals.map((goal) => testCase(record, goal));
  const extra = runLevelCase(record);
  if (extra) cases.push(extra);
  const count = (kind: Verdict['kind']) => cases.filter((one) => one.kind === kind).length;
  const totals = {
    tests: cases.length,
    failures: count('failure'),
    errors: count('error'),
    skipped: count('skipped'),
    time: seconds(result.durationMs),
  };
  const name = startOf(result)?.scenario ?? result.source;
  const suite = { name, ...totals, timestamp: result.startedAt.replace(/\.\d+Z$/, '') };
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${attributes({ name: 'svc-rig', ...totals })}>`,
    `  <testsuite${attributes(suite)}>`,
    '    <properties>',
    ...properties(record).map(([key, value]) => `      <property${attributes({ name: key, value })}/>`),
    '    </properties>',
    ...cases.map((one) => one.xml),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

interface Verdict {
  readonly kind: 'passed' | 'failure' | 'error' | 'skipped';
  readonly xml: string;
}

function testCase({ result }: RunRecord, goal: GoalResult): Verdict {
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
  const name = goal.kind === 'CONFIG' ? `[CONFIG] ${goal.name}` : goal.name;
  const head = { name, classname: result.source, file: goal.pos.file, line: goal.pos.line };
  return { kind, xml: caseXml({ ...head, time: seconds(goal.durationMs) }, kind, reason, lines) };
}

function checkLine(row: CheckRow): string {
  const { check } = row;
  const limits = limitsText(check);
  const wanted = limits === '' ? '' : `wanted ${limits}, `;
  return `[${check.outcome}] ${rowMessage(row)} (${wanted}got ${actualText(check)})`;
}

/** A goal that nothing was checked in is no passed case: whoever counts cases would count it as evidence. */
function kindOf({ outcome, procedure }: GoalResult): Verdict['kind'] {
  if (outcome === 'passed') return procedure ? 'skipped' : 'passed';
  if (outcome === 'failed') return 'failure';
  return outcome === 'skipped' || outcome === 'inconclusive' || outcome === null ? 'skipped' : 'error';
}

/** A run can be worse than all of its blocks, for example when its preflight or its safe state failed. */
function runLevelCase({ result }: RunRecord): Verdict | undefined {
  const rank = { passed: 0, skipped: 0, inconclusive: 0, failed: 1, error: 2, aborted: 3 } as const;
  const worst = Math.max(0, ...result.goals.map(({ outcome }) => (outcome ? rank[outcome] : 0)));
  if (result.simulated && result.goals.length > 0) return undefined;
  if (rank[result.outcome] <= worst) return undefined;
  const errors = result.diagnostics.filter(({ severity }) => severity === 'error');
  const unsafe = safeStatesOf(result).flatMap(({ ok, steps }) =>
    ok
      ? []
      : steps.filter((step) => !step.ok).map((step) => `safe state: ${step.name}: ${step.error ?? 'failed'}`),
  );
  const lines = [...errors.map(({ code, message }) => `${code}: ${message}`), ...unsafe];
  const head = { name: '[RUN]', classname: result.source, time: seconds(result.durationMs) };
  return { kind: 'error', xml: caseXml(head, 'error', lines[0] ?? `run ended ${result.outcome}`, lines) };
}

function caseXml(
  head: Readonly<Record<string, string | number>>,
  kind: Verdict['kind'],
  message: string,
  lines: readonly string[],
): string {
  const open = `    <testcase${attributes(head)}`;
  const body: string[] = [];
  const detail = escapeMarkup(lines.join('\n'));
  if (kind === 'skipped') body.push(`      <skipped${attributes({ message })}/>`);
  else if (kind !== 'passed')
    body.push(`      <${kind}${attributes({ message, type: kind })}>${detail}</${kind}>`);
  if (lines.length > 0 && (kind === 'passed' || kind === 'skipped'))
    body.push(`      <system-out>${detail}</system-out>`);
  return body.length === 0 ? `${open}/>` : [`${open}>`, ...body, '    </testcase>'].join('\n');
}

function properties({ result, version, scenarioHash }: RunRecord): [string, string][] {
  return [
    ['outcome', shownRunOutcome(result)],
    ['mode', startOf(result)?.mode ?? 'unknown'],
    ['simulated', String(result.simulated)],
    ['bench', String(result.bench)],
    ['scenario.sha256', scenarioHash],
    ['calibrations', calibrationsOf(result).join(', ')],
    ['software.version', version],
    ['started_at', result.startedAt],
  ];
}
