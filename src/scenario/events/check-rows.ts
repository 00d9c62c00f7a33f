import type { RunEvent } from './event.ts';

export type CheckEvent = Extract<RunEvent, { type: 'check' }>;

/** What stands in a report as one line: a check, or a bound with all the readings and sample points it judged. */
export interface CheckRow {
  /** The check itself; of a bound the one with its worst value. */
  readonly check: CheckEvent;
  /** Values that were judged, and those of them that violated the limits. */
  readonly points: number;
  readonly failed: number;
}

const BOUNDS: ReadonlySet<string> = new Set(['MIN', 'MAX', 'RANGE']);

export const isBoundCheck = ({ kind }: CheckEvent): boolean => BOUNDS.has(kind);

/**
 * The checks among events as rows, in the order of their first event (LANG-082): MIN, MAX and RANGE judge every
 * reading and every sample point, and are one row each. A block that is run again has rows of its own.
 */
export function checkRows(events: Iterable<RunEvent>): CheckRow[] {
  const rows: { check: CheckEvent; points: number; failed: number }[] = [];
  const open = new Map<string, (typeof rows)[number]>();
  const attempts = new Map<number | null, number>();
  for (const event of events) {
    if (event.type === 'block.start') attempts.set(event.goal, (attempts.get(event.goal) ?? 0) + 1);
    if (event.type !== 'check') continue;
    const failed = event.outcome === 'passed' ? 0 : 1;
    const key = isBoundCheck(event) ? keyOf(event, attempts.get(event.goal) ?? 0) : undefined;
    const row = key === undefined ? undefined : open.get(key);
    if (row) {
      row.points++;
      row.failed += failed;
      if (marginOf(event) < marginOf(row.check)) row.check = event;
      continue;
    }
    const added = { check: event, points: 1, failed };
    rows.push(added);
    if (key !== undefined) open.set(key, added);
  }
  return rows;
}

/** One bound with the same limits on the same thing. */
const keyOf = (
  { goal, name, pos, kind, sensor, unit, low, high, calibration }: CheckEvent,
  attempt: number,
): string =>
  JSON.stringify([
    goal,
    attempt,
    name,
    pos?.file,
    pos?.line,
    pos?.col,
    kind,
    sensor,
    unit,
    low,
    high,
    calibration,
  ]);

/** Distance to the nearer limit, negative beyond it. */
function marginOf({ actual, low, high }: CheckEvent): number {
  if (typeof actual !== 'number') return Number.POSITIVE_INFINITY;
  return Math.min(
    low === null ? Number.POSITIVE_INFINITY : actual - low,
    high === null ? Number.POSITIVE_INFINITY : high - actual,
  );
}
