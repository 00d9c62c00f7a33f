import type { GoalResult, Result, SampleSeries } from '../../run/result.ts';
import { formatPos } from '../../source/position.ts';
import { escapeMarkup } from '../markup.ts';
import { actualText, type CheckEvent, checksOf, limitsText, safeStatesOf } from '../record.ts';
import { type Limits, plot } from './plot.ts';
import { table } from './table.ts';

/** Lines of the event list in the page; the events file has them all. */
const MAX_EVENTS = 5000;

export const section = (title: string, body: string): string => `<h2>${escapeMarkup(title)}</h2>\n${body}`;

export const blocksTable = (result: Result): string =>
  table<GoalResult>(
    result.goals,
    [
      { title: 'Outcome', text: ({ outcome }) => outcome ?? 'not run', kind: ({ outcome }) => outcome ?? '' },
      { title: 'Block', text: blockName },
      { title: 'Checks', text: checkCount, numeric: true },
      { title: 'Attempts', text: ({ attempts }) => String(attempts), numeric: true },
      { title: 'Time', text: ({ durationMs }) => `${(durationMs / 1000).toFixed(2)} s`, numeric: true },
      { title: 'Remark', text: ({ message }) => message ?? '' },
    ],
    'The scenario has no block.',
  );

export function checksTables(result: Result): string {
  const parts = result.goals.flatMap((goal) => {
    const checks = checksOf(result, goal.index);
    if (checks.length === 0) return [];
    return [`<h3>${escapeMarkup(blockName(goal))}</h3>`, table<CheckEvent>(checks, CHECK_COLUMNS, '')];
  });
  return parts.length === 0 ? '<p class="none">Nothing was checked.</p>' : parts.join('\n');
}

const CHECK_COLUMNS = [
  {
    title: 'Outcome',
    text: ({ outcome }: CheckEvent) => outcome,
    kind: ({ outcome }: CheckEvent) => outcome,
  },
  { title: 'Check', text: ({ kind }: CheckEvent) => kind },
  { title: 'Of', text: ({ sensor }: CheckEvent) => sensor ?? '' },
  { title: 'Limits', text: limitsText, numeric: true },
  { title: 'Measured', text: actualText, numeric: true },
  { title: 'Calibration', text: ({ calibration }: CheckEvent) => calibration ?? '' },
  { title: 'Message', text: ({ message }: CheckEvent) => message },
  { title: 'At', text: ({ pos }: CheckEvent) => (pos ? formatPos(pos) : '') },
];

export const samplePlots = (result: Result): string =>
  result.samples
    .map((series) => {
      const { sensor, goal, unit, stats } = series;
      const block = result.goals.find(({ index }) => index === goal)?.name ?? `block ${goal}`;
      const of = (name: string, value: number | null) =>
        `${name} ${value === null ? 'none' : Number(value.toPrecision(6))}`;
      const line = [
        `${stats.count} points`,
        `${stats.gaps} gaps`,
        of('min', stats.min),
        of('avg', stats.avg),
        of('max', stats.max),
        of('stddev', stats.stddev),
      ].join(', ');
      return `<h3>${escapeMarkup(`${sensor}, ${block}`)}</h3>\n${plot(series, limitsOf(result, series))}\n<p>${escapeMarkup(`${line}${unit ? ` (${unit})` : ''}`)}</p>`;
    })
    .join('\n');

/** Limits in the unit of the plot; others would be drawn at a false height. */
function limitsOf(result: Result, { sensor, goal, unit }: SampleSeries): Limits[] {
  return checksOf(result, goal).filter((check) => check.sensor === sensor && check.unit === unit);
}

export const safeStateTables = (result: Result): string =>
  safeStatesOf(result)
    .map(({ reason, ok, steps }) => {
      const verdict = ok ? 'safe' : 'NOT SAFE';
      const rows = table(
        steps,
        [
          { title: 'Step', text: ({ name }) => name },
          {
            title: 'Result',
            text: (step) => (step.ok ? 'done' : `failed${step.error ? `: ${step.error}` : ''}`),
            kind: (step) => (step.ok ? 'passed' : 'error'),
          },
        ],
        'no step reported',
      );
      return `<p class="${ok ? 'passed' : 'error'}">${escapeMarkup(`${verdict} (${reason})`)}</p>\n${rows}`;
    })
    .join('\n');

export const findingsTable = (result: Result): string =>
  table(
    result.diagnostics,
    [
      { title: 'Severity', text: ({ severity }) => severity, kind: ({ severity }) => severity },
      { title: 'Code', text: ({ code, name }) => `${code} ${name}` },
      { title: 'Message', text: ({ message }) => message },
      { title: 'At', text: ({ pos }) => formatPos(pos) },
    ],
    'none',
  );

export function eventList({ events }: Result): string {
  const lines = events.slice(0, MAX_EVENTS).map((event) => JSON.stringify(event));
  if (events.length > MAX_EVENTS)
    lines.push(`... ${events.length - MAX_EVENTS} more events are left out here`);
  return `<details><summary>${events.length} events</summary>\n<pre>${escapeMarkup(lines.join('\n'))}</pre></details>`;
}

const blockName = ({ kind, name, teardown }: GoalResult): string =>
  `${kind === 'CONFIG' ? '[CONFIG] ' : ''}${name}${teardown ? ' (teardown)' : ''}`;

const checkCount = ({ checks, failedChecks }: GoalResult): string =>
  failedChecks > 0 ? `${checks} (${failedChecks} failed)` : checks === 0 ? 'no checks' : String(checks);
