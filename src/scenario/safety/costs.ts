import type { Condition, Operand, Subject } from '../program/operand.ts';
import type { Timeouts } from '../run/timeouts.ts';

/** Of one call of the bridge; of a lung call, ms. */
export const CALL_MS = 5000;
export const LUNG_CALL_MS = 10_000;

/** Of what asks no device: it takes no time worth counting. */
export const noTime = (): number => 0;

/** Pauses are exempt from the command time-out; all else ends with it. */
export const capped = (ms: number, { commandMs }: Timeouts): number => Math.min(ms, commandMs);

/** Of one read. One that got no answer is repeated once. */
export const readMs = (_: unknown, timeouts: Timeouts): number => capped(2 * CALL_MS, timeouts);

/** Of all reads of a condition. */
export const readsMs = (condition: Condition, timeouts: Timeouts): number =>
  capped(2 * CALL_MS * readings(condition), timeouts);

function readings(condition: Condition): number {
  if (condition.kind === 'all' || condition.kind === 'any')
    return condition.parts.reduce((sum, part) => sum + readings(part), 0);
  if (condition.kind === 'range') return readingOf(condition.subject);
  return readingOf(condition.left) + readingOf(condition.right);
}

const readingOf = (operand: Operand): number =>
  operand.kind === 'subject' || operand.kind === 'change' ? Number(isMeasured(operand.subject)) : 0;

const isMeasured = ({ kind }: Subject): boolean => kind === 'sensor' || kind === 'unknown';
