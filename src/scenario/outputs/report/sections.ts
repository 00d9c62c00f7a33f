import { basename } from 'node:path';
import type { CheckRow } from '../../events/check-rows.ts';
import { actualText, defaultText, limitsText, pointsText, rowMessage } from '../../run/check-text.ts';
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
      { title: 'Checks', text: (goal) => checkCount(goal, result), numeric: true },
      { title: 'Attempts', text: ({ attempts }) => String(attempts), numeric: true },
      { title: 'Time', text: ({ durationMs }) => `${(durationMs / 1000).toFixed(2)} s`, numeric: true },
      { title: 'Remark', text: ({ message }) => message ?? '' },
    ],
    'The scenario has no block.',
  );

const shownGoal = (goal: GoalResult) => goal.outcome && shownOutcome(goal.outcome, goal);

/** One table for all blocks, so that its columns stand below each other. */
export function checksTable(result: Result): string {
  const names = new Map(result.goals.map((goal) => [goal.index, blockName(goal)]));
  const rows = result.goals.flatMap((goal) => rowsOf(result, goal.index));
  const attempts = attemptsOf(result);
  const calibrated = rows.some(({ check }) => check.calibration !== undefined);
  return table<CheckRow>(
    rows,
    [
      {
        title: 'Outcome',
        text: ({ check }) => check.outcome,
        kind: ({ check }) => check.outcome,
      },
      { title: 'Check', text: ({ check }) => `${check.kind} ${check.sensor ?? ''}`.trimEnd() },
      { title: 'Limits', text: ({ check }) => limitsText(check), numeric: true },
      { title: 'Measured', text: ({ check }) => actualText(check), numeric: true },
      { title: 'Remark', text: remark },
      ...(calibrated
        ? [{ title: 'Calibration', text: ({ check }: CheckRow) => check.calibration ?? '' }]
        : []),
      { title: 'Line', text: ({ check }) => lineText(check, result), numeric: true },
    ],
    'Nothing was checked.',
    ({ check }) => {
      const name = check.goal === null ? '' : (names.get(check.goal) ?? '');
      const attempt = attempts.get(check.seq);
      return attempt === undefined ? name : `${name}, attempt ${attempt}`;
    },
  );
}

/** Attempts of the checks of blocks that were tried again, by the numbers of their events. */
function attemptsOf({ goals, events }: Result): Map<number, number> {
  const retried = new Set(goals.flatMap(({ index, attempts }) => (attempts > 1 ? [index] : [])));
  const running = new Map<number, number>();
  const found = new Map<number, number>();
  for (const event of events) {
    if (event.goal === null || !retried.has(event.goal)) continue;
    if (event.type === 'block.start') running.set(event.goal, event.attempt);
    if (event.type === 'check') found.set(event.seq, running.get(event.goal) ?? 1);
  }
  return found;
}

/** Message of a check, unless it only repeats what the cells before say. */
function remark(row: CheckRow): string {
  const { sensor, outcome, low, high, unit, message } = row.check;
  const { NEGATIVE_INFINITY: least, POSITIVE_INFINITY: most } = Number;
  const repeats =
    message === defaultText(sensor ?? '', outcome === 'passed', low ?? least, high ?? most, unit);
  if (!repeats) return rowMessage(row);
  return row.points === 1 ? '' : pointsText(row);
}

/** The file is named where it is not the scenario itself. */
function lineText({ pos }: CheckRow['check'], { source }: Result): string {
  if (!pos) return '';
  return pos.file === source ? String(pos.line) : `${basename(pos.file)}:${pos.line}`;
}

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
      return `<div class="sample"><h3>${escapeMarkup(`${sensor}, ${block}`)}</h3>\n${plot(series, limitsOf(result, series))}\n<p>${escapeMarkup(`${line}${unit ? ` (${unit})` : ''}`)}</p></div>`;
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
  if (events.length > MAX_EVENTS) lines.push(`... ${events.length - MAX_EVENTS} more events not shown`);
  return `<details><summary>${events.length} events</summary>\n<pre>${escapeMarkup(lines.join('\n'))}</pre></details>`;
}

const blockName = ({ kind, name, teardown }: GoalResult): string =>
  `${kind === 'CONFIG' ? '[CONFIG] ' : ''}${name}${teardown ? ' (teardown)' : ''}`;

function checkCount({ index }: GoalResult, result: Result): string {
  const rows = rowsOf(result, index);
  const failed = rows.filter(({ check }) => check.outcome !== 'passed').length;
  if (failed > 0) return `${rows.length} (${failed} failed)`;
  return rows.length === 0 ? 'none' : String(rows.length);
}
