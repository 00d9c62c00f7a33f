import type { Outcome, RunEvent } from '../events/event.ts';
import { type RunRecord, UNNAMED_UNIT } from './record.ts';

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
  'batch',
  'operator',
] as const;
type Column = (typeof COLUMNS)[number];
type Cells = Partial<Record<Column, string | number | boolean | null>>;

/**
 * What a run measured, judged and moved, one row each, as CSV (RFC 4180, UTF-8) for a spreadsheet. Every row carries the
 * marks of a simulation or a bench.
 */
export function csvTable({ result, tested = UNNAMED_UNIT }: RunRecord): string {
  const { unit: unit_under_test, ...named } = tested;
  const names = new Map(result.goals.map(({ index, name }) => [index, name]));
  const rows = result.events.flatMap((event) => {
    const cells = cellsOf(event);
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
    };
    return [COLUMNS.map((column) => csvCell(row[column] ?? '')).join(',')];
  });
  return [COLUMNS.join(','), ...rows, ''].join('\r\n');
}

/** Undefined for events that measure, judge and move nothing. */
function cellsOf(event: RunEvent): Cells | undefined {
  switch (event.type) {
    case 'reading': {
      const { sensor, value, unit, calibration = '', source } = event;
      return { of: sensor, value, unit, calibration, text: source };
    }
    case 'sample': {
      const { sensor, action, value, unit, calibration = '' } = event;
      return action === 'point' || action === 'gap'
        ? { event: `sample.${action}`, of: sensor, value, unit, calibration }
        : undefined;
    }
    case 'check': {
      const { sensor, actual, unit, low, high, outcome, message, calibration = '' } = event;
      return { of: sensor, value: actual, unit, low, high, outcome, calibration, text: message };
    }
    case 'actuate': {
      const outcome: Outcome = event.ok ? 'passed' : 'error';
      return { of: event.target, value: event.requested, unit: event.unit, outcome };
    }
    case 'block.end':
      return { outcome: event.outcome, text: event.message };
    case 'safe-state':
      return { outcome: event.ok ? 'passed' : 'error', text: event.reason };
    case 'run.end':
      return { value: `${event.passed}/${event.total}`, outcome: event.outcome };
    default:
      return undefined;
  }
}

/** A text that a spreadsheet would run as a formula is kept a text. */
export function csvCell(value: string | number | boolean | null): string {
  if (typeof value !== 'string') return value === null ? '' : String(value);
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
