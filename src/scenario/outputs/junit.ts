import type { GoalResult } from '../run/result.ts';
import { escapeAttribute, escapeMarkup } from './markup.ts';
import {
  actualText,
  type CheckEvent,
  calibrationsOf,
  checksOf,
  limitsText,
  markOf,
  type RunRecord,
  safeStatesOf,
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
  const checks = checksOf(result, goal.index);
  const lines = checks.map(checkLine);
  const bad = checks.filter((check) => check.outcome !== 'passed').map((check) => check.message);
  const message = goal.message ?? (bad.join('; ') || `outcome ${goal.outcome ?? 'none'}`);
  const kind = result.simulated ? 'skipped' : kindOf(goal);
  const reason = result.simulated ? `${markOf(result)}: ${goal.outcome ?? 'not run'}` : message;
  const name = goal.kind === 'CONFIG' ? `[CONFIG] ${goal.name}` : goal.name;
  const head = { name, classname: result.source, file: goal.pos.file, line: goal.pos.line };
  return { kind, xml: caseXml({ ...head, time: seconds(goal.durationMs) }, kind, reason, lines) };
}

function checkLine(check: CheckEvent): string {
  const limits = limitsText(check);
  const wanted = limits === '' ? '' : `wanted ${limits}, `;
  return `[${check.outcome}] ${check.message} (${wanted}got ${actualText(check)})`;
}

function kindOf({ outcome }: GoalResult): Verdict['kind'] {
  if (outcome === 'passed') return 'passed';
  if (outcome === 'failed') return 'failure';
  return outcome === 'skipped' || outcome === null ? 'skipped' : 'error';
}

/** A run can be worse than all of its blocks, for example when its preflight or its safe state failed. */
function runLevelCase({ result }: RunRecord): Verdict | undefined {
  const rank = { passed: 0, skipped: 0, failed: 1, error: 2, aborted: 3 } as const;
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
    ['outcome', result.outcome],
    ['mode', startOf(result)?.mode ?? 'unknown'],
    ['simulated', String(result.simulated)],
    ['bench', String(result.bench)],
    ['scenario.sha256', scenarioHash],
    ['calibrations', calibrationsOf(result).join(', ')],
    ['software.version', version],
    ['started_at', result.startedAt],
  ];
}
