import type { Outcome } from '../../scenario/events/event.ts';

export const EXIT = {
  /** Passed, skipped, valid. */
  ok: 0,
  /** A limit violated, an invalid file, a text that is not in canonical form. */
  failed: 1,
  /** Wrong usage, unreadable source, a scenario with errors that was not run. */
  usage: 2,
  /** No verdict possible or none given, or a result that could not be saved. */
  error: 3,
  /** Refused: consent is missing, or the target is reserved. */
  refused: 4,
  aborted: 130,
} as const;

const BY_OUTCOME: Readonly<Record<Outcome, number>> = {
  passed: EXIT.ok,
  skipped: EXIT.ok,
  failed: EXIT.failed,
  error: EXIT.error,
  inconclusive: EXIT.error,
  aborted: EXIT.aborted,
};

export const exitCodeOf = (outcome: Outcome): number => BY_OUTCOME[outcome];
