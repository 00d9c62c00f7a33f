import { type CheckEvent, type CheckRow, checkRows } from '../events/check-rows.ts';
import type { Outcome, RunEvent } from '../events/event.ts';
import { actualValueText, rowMessage } from '../run/check-text.ts';
import { shownOutcome, shownRunOutcome } from '../run/outcome.ts';
import { shownLimit, shownNumber } from '../values/shown-number.ts';
import { type RunRecord, recordCells, UNNAMED_UNIT } from './record.ts';

const COLUMNS = [
  'seq',
  'time',
  't_ms',
  'block',
  'event',
  'of',
  'value',
  'unit',
  'low',
  'high',
  'outcome',
  'calibration',
  'text',
  'simulated',
  'bench',
  'unit_under_test',
  'part',
  'revision',
  'batch',
  'operator',
  'run',
  'station',
] as const;
type Column = (typeof COLUMNS)[number];
type Cells = Partial<Record<Column, string | number | boolean | null>>;

/**
 * What a run measured, judged and moved, one row each, as CSV (RFC 4180, UTF-8) for a spreadsheet. Every row carries the
 * marks of a simulation or a bench.
 */
export function csvTable(record: RunRecord): string {
  const { result, tested = UNNAMED_UNIT } = record;
  const { unit: unit_under_test, ...named } = tested;
  const names = new Map(result.goals.map(({ index, name }) => [index, name]));
  const checks = new Map(checkRows(result.events).map((row) => [row.check, row]));
  const rows = result.events.flatMap((event) => {
    const cells = cellsOf(event, checks);
    if (!cells) return [];
    const { seq, time, t, goal, simulated, bench = false } = event;
    const block = goal === null ? '' : (names.get(goal) ?? '');
    const row: Cells = {
      seq,
      time,
      t_ms: t,
      block,
      event: event.type,
      ...cells,
      simulated,
      bench,
      unit_under_test,
      ...named,
      ...recordCells(record),
    };
    return [COLUMNS.map((column) => csvCell(row[column] ?? '')).join(',')];
  });
  return [COLUMNS.join(','), ...rows, ''].join('\r\n');
}

/** Undefined for events that measure, judge and move nothing. */
function cellsOf(event: RunEvent, checks: ReadonlyMap<CheckEvent, CheckRow>): Cells | undefined {
  switch (event.type) {
    case 'reading': {
      const { sensor, value, unit, calibration = '', resolution, source } = event;
      return { of: sensor, value: number(shownNumber(value, resolution)), unit, calibration, text: source };
    }
    case 'sample': {
      const { sensor, action, value, unit, calibration = '', resolution } = event;
      const shown = value === null ? null : number(shownNumber(value, resolution));
      return action === 'point' || action === 'gap'
        ? { event: `sample.${action}`, of: sensor, value: shown, unit, calibration }
        : undefined;
    }
    case 'check': {
      // A bound is one row, where its worst value was judged.
      const row = checks.get(event);
      if (!row) return undefined;
      const { message: text, ...cells } = checkCells(row);
      return { of: event.sensor, ...cells, text };
    }
    case 'actuate': {
      const outcome: Outcome = event.ok ? 'passed' : 'error';
      return { of: event.target, value: event.requested, unit: event.unit, outcome };
    }
    case 'block.end':
      return { outcome: shownOutcome(event.outcome, event), text: event.message };
    case 'safe-state':
      return { outcome: event.ok ? 'passed' : 'error', text: event.reason };
    case 'run.end':
      return { value: `${event.passed}/${event.total}`, outcome: shownRunOutcome(event) };
    default:
      return undefined;
  }
}

/** What a check measured and was judged by, with the digits that its sensor can show. */
export function checkCells(row: CheckRow) {
  const { actual, unit, low, high, outcome, calibration = '' } = row.check;
  const value = typeof actual === 'number' ? number(actualValueText(row.check)) : actual;
  const limit = (one: number | null) => (one === null ? null : number(shownLimit(one)));
  return { value, unit, low: limit(low), high: limit(high), outcome, calibration, message: rowMessage(row) };
}

/** Number of a shown text: a cell of its own kind, so that a minus sign is no formula. */
const number = (text: string): number => Number(text);

/** A spreadsheet may take it for a number or a date: the serial number `00417`, the batch `3/4`. An ISO date is one. */
const MAY_BE_NUMBER = /^\s*[\d.](?!\d{3}-\d\d-\d\d(T|$))/;

/**
 * A text that a spreadsheet would run as a formula is kept a text; one that begins as a number is quoted, so that a
 * spreadsheet can be set to keep it.
 */
export function csvCell(value: string | number | boolean | null): string {
  if (typeof value !== 'string') return value === null ? '' : String(value);
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return MAY_BE_NUMBER.test(text) || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
