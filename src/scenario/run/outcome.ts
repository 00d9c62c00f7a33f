import type { GoalMarks, Outcome } from '../events/event.ts';

/** Worst last. */
const ORDER: readonly Outcome[] = ['passed', 'skipped', 'inconclusive', 'failed', 'error', 'aborted'];

/** The worse of two outcomes: an outcome is never downgraded. */
export const worse = (a: Outcome, b: Outcome): Outcome => (ORDER.indexOf(b) > ORDER.indexOf(a) ? b : a);

export const worstOf = (outcomes: Iterable<Outcome>): Outcome => [...outcomes].reduce(worse, 'passed');

export const isOk = (outcome: Outcome): boolean => outcome === 'passed' || outcome === 'skipped';

/** What came of a block. */
export interface Verdict {
  readonly outcome: Outcome;
  readonly checks: number;
  readonly failedChecks: number;
  /** Says why the outcome is what it is. */
  readonly message: string | undefined;
}

/**
 * The verdict of a goal that was entered again: the checks of all entries count. No check ran in an inconclusive entry:
 * an entry in which one ran decides. The message is that of the worse one.
 */
export function overEntries(before: Verdict | undefined, now: Verdict): Verdict {
  if (before === undefined || before.outcome === 'inconclusive') return now;
  const outcome = now.outcome === 'inconclusive' ? before.outcome : worse(before.outcome, now.outcome);
  return {
    outcome,
    checks: before.checks + now.checks,
    failedChecks: before.failedChecks + now.failedChecks,
    message: outcome === before.outcome ? before.message : now.message,
  };
}

/** The verdict of a retry in place of the attempt before it. An inconclusive one judged nothing and takes none away. */
export const overRetries = (before: Verdict | undefined, now: Verdict): Verdict =>
  before !== undefined && now.outcome === 'inconclusive' ? before : now;

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
