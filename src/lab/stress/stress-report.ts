import type { SteppedClock } from '../../lib/clock/stepped-clock.ts';

/** What became of a driver under random faults of its twin, on a stepped clock. */
export interface StressReport {
  /** Requests of the driver. */
  exchanges: number;
  /** How often each fault was done. */
  faults: Record<string, number>;
  /** Readings that were not the twin's truth since they were asked for. */
  wrongValues: number;
  /** What was called done, started, stopped, there or well and was not so in truth. */
  falseConfirmations: number;
  /** Faults or failures after which the driver worked again in its time, and those after which it did not. */
  recovered: number;
  unrecovered: number;
  /** Timers and answers left when all was closed. */
  pendingTimers: number;
  /** Errors that no fault explains, and what must never be sent. */
  unexpected: string[];
}

export const noStress = (): StressReport => ({
  exchanges: 0,
  faults: {},
  wrongValues: 0,
  falseConfirmations: 0,
  recovered: 0,
  unrecovered: 0,
  pendingTimers: 0,
  unexpected: [],
});

export function countFault({ faults }: StressReport, kind: string): void {
  faults[kind] = (faults[kind] ?? 0) + 1;
}

/** `draw` with every fault counted. */
export function counted<Fault extends object>(report: StressReport, draw: () => Fault): () => Fault {
  return () => {
    const fault = draw();
    for (const kind of Object.keys(fault)) countFault(report, kind);
    return fault;
  };
}

/** Steps the clock in seconds until `work` is done. */
export async function steppedThrough(clock: SteppedClock, work: () => Promise<void>): Promise<void> {
  let isDone = false;
  const working = work().finally(() => {
    isDone = true;
  });
  // Who looks at it is waiting for the clock just now.
  working.catch(() => {});
  while (!isDone) await clock.advance(1000);
  await working;
}
