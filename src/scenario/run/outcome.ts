import type { GoalMarks, Outcome } from '../events/event.ts';

/** Worst last (language specification, sections 5.2 and 17). */
const ORDER: readonly Outcome[] = ['passed', 'skipped', 'inconclusive', 'failed', 'error', 'aborted'];

/** The worse of two outcomes: an outcome is never downgraded. */
export const worse = (a: Outcome, b: Outcome): Outcome => (ORDER.indexOf(b) > ORDER.indexOf(a) ? b : a);

export const worstOf = (outcomes: Iterable<Outcome>): Outcome => [...outcomes].reduce(worse, 'passed');

export const isOk = (outcome: Outcome): boolean => outcome === 'passed' || outcome === 'skipped';

/**
 * The outcome of a goal that was entered again. No check ran in an inconclusive entry: an entry in which one ran
 * decides.
 */
export function overEntries(before: Outcome | undefined, now: Outcome): Outcome {
  if (before === undefined || before === 'inconclusive') return now;
  return now === 'inconclusive' ? before : worse(before, now);
}

/** What a block adds to the outcome of its run. */
export const countedOutcome = (outcome: Outcome, { optional }: GoalMarks): Outcome =>
  optional && outcome === 'inconclusive' ? 'passed' : outcome;

/** The outcome as people read it: a procedure has no verdict, it is `done`. */
export const shownOutcome = (outcome: Outcome, { procedure }: GoalMarks): Outcome | 'done' =>
  procedure && outcome === 'passed' ? 'done' : outcome;

interface RunVerdict {
  readonly outcome: Outcome;
  /** Records of earlier versions do not say it; there every goal that passed counts as judged. */
  readonly judged?: boolean;
}

/** The outcome of a run as people read it: commands that succeeded without a judged goal are no pass. */
export const shownRunOutcome = ({ outcome, judged }: RunVerdict): Outcome | 'done' =>
  outcome === 'passed' && judged === false ? 'done' : outcome;
