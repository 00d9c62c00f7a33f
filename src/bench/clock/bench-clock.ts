import { type Clock, systemClock } from '../../lib/clock/clock.ts';
import { SteppedClock } from '../../lib/clock/stepped-clock.ts';
import { AdvanceableClock } from './advanceable-clock.ts';

export const CLOCK_KINDS = ['real', 'stepped'] as const;
export type ClockKind = (typeof CLOCK_KINDS)[number];

/** The time of twins and plant. */
export interface BenchClock extends Clock {
  /** Moves time on by `ms`, firing what falls due on the way, each at its own moment. */
  advance(ms: number): Promise<void>;
}

/** `real` runs with the machine and can be moved ahead; `stepped` moves only when told to. */
export function benchClock(kind: ClockKind): BenchClock {
  return kind === 'stepped' ? new SteppedClock() : new AdvanceableClock(systemClock);
}

export const kindOf = (clock: BenchClock): ClockKind => (clock instanceof SteppedClock ? 'stepped' : 'real');
