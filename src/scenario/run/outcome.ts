import type { Outcome } from '../events/event.ts';

/** Worst last (language specification, section 5.2). */
const ORDER: readonly Outcome[] = ['passed', 'skipped', 'failed', 'error', 'aborted'];

/** The worse of two outcomes: an outcome is never downgraded. */
export const worse = (a: Outcome, b: Outcome): Outcome => (ORDER.indexOf(b) > ORDER.indexOf(a) ? b : a);

export const worstOf = (outcomes: Iterable<Outcome>): Outcome => [...outcomes].reduce(worse, 'passed');

export const isOk = (outcome: Outcome): boolean => outcome === 'passed' || outcome === 'skipped';
