import type { CheckRow } from '../../events/check-rows.ts';
import { actualText, limitsText, rowMessage } from '../../run/check-text.ts';
import { shownOutcome } from '../../run/outcome.ts';
import type { GoalResult, Result, SampleSeries } from '../../run/result.ts';
import { formatPos } from '../../source/position.ts';
import { shownNumber } from '../../values/shown-number.ts';
import { escapeMarkup } from '../markup.ts';
import { rowsOf, safeStatesOf } from '../record.ts';
import { type Limits, plot } from './plot.ts';
import { table } from './table.ts';

/** Lines of the event list in the page; the events file has them all. */
const MAX_EVENTS = 5000;

export const section = (title: string, body: string): string => `<h2>${escapeMarkup(title)}</h2>\n${body}`;

export const blocksTable = (result: Result): string =>
  table<GoalResult>(
    result.goals,
    [
      {
        title: 'Outcome',
        text: (goal) => shownGoal(goal) ?? 'not run',
        kind: (goal) => shownGoal(goal) ?? '',
      },
      { title: 'Block', text: blockName },
      { title: 'Checks', text: checkCount, numeric: true },
      { title: 'Attempts', text: ({ attempts }) => String(attempts), numeric: true },
      { title: 'Time', text: ({ durationMs }) => `${(durationMs / 1000).toFixed(2)} s`, numeric: true },
      { title: 'Remark', text: ({ message }) => message ?? '' },
    ],
    'The scenario has no block.',
  );

const shownGoal = (goal: GoalResult) => goal.outcome && shownOutcome(goal.outcome, goal);

export function checksTables(result: Result): string {
  const parts = result.goals.flatMap((goal) => {
    const rows = rowsOf(result, goal.index);
    if (rows.length === 0) return [];
    return [`<h3>${escapeMarkup(blockName(goal))}</h3>`, table<CheckRow>(rows, CHECK_COLUMNS, '')];
  });
  return parts.length === 0 ? '<p class="none">Nothing was checked.</p>' : parts.join('\n');
}

const CHECK_COLUMNS = [
  {
    title: 'Outcome',
    text: ({ check }: CheckRow) => check.outcome,
    kind: ({ check }: CheckRow) => check.outcome,
  },
  { title: 'Check', text: ({ check }: CheckRow) => check.kind },
  { title: 'Of', text: ({ check }: CheckRow) => check.sensor ?? '' },
  { title: 'Limits', text: ({ check }: CheckRow) => limitsText(check), numeric: true },
  { title: 'Measured', text: ({ check }: CheckRow) => actualText(check), numeric: true },
  { title: 'Calibration', text: ({ check }: CheckRow) => check.calibration ?? '' },
  { title: 'Message', text: rowMessage },
  { title: 'At', text: ({ check }: CheckRow) => (check.pos ? formatPos(check.pos) : '') },
];

export const samplePlots = (result: Result): string =>
  result.samples
    .map((series) => {
      const { sensor, goal, unit, stats } = series;
      const block = result.goals.find(({ index }) => index === goal)?.name ?? `block ${goal}`;
      const resolution = resolutionOf(result, series);
      const of = (name: string, value: number | null, step?: number) =>
        `${name} ${value === null ? 'none' : shownNumber(value, step)}`;
      const line = [
        `${stats.count} points`,
        `${stats.gaps} gaps`,
        of('min', stats.min, resolution),
        of('avg', stats.avg),
        of('max', stats.max, resolution),
        of('stddev', stats.stddev),
      ].join(', ');
      return `<h3>${escapeMarkup(`${sensor}, ${block}`)}</h3>\n${plot(series, limitsOf(result, series))}\n<p>${escapeMarkup(`${line}${unit ? ` (${unit})` : ''}`)}</p>`;
    })
    .join('\n');

/** Limits in the unit of the plot; others would be drawn at a false height. */
function limitsOf(result: Result, { sensor, goal, unit }: SampleSeries): Limits[] {
  return rowsOf(result, goal).flatMap(({ check }) =>
    check.sensor === sensor && check.unit === unit ? [check] : [],
  );
}

function resolutionOf({ events }: Result, { sensor, goal, unit }: SampleSeries): number | undefined {
  const found = events.find(
    (event) =>
      event.type === 'sample' && event.goal === goal && event.sensor === sensor && event.unit === unit,
  );
  return found?.type === 'sample' ? found.resolution : undefined;
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
