import type { Outcome, RunEvent } from '../events/event.ts';

interface BlockAttempt {
  readonly attempt: number;
  readonly outcome: Outcome;
  readonly message: string | null;
}

/** A block that was tried again, with every attempt: a fault that went away stays visible. */
export interface RetriedBlock {
  readonly block: string;
  readonly attempts: readonly BlockAttempt[];
}

/** The blocks of a run that were tried again, in the order of their first attempt. */
export function retriesOf(events: readonly RunEvent[]): RetriedBlock[] {
  const blocks = new Map<number, { block: string; attempts: BlockAttempt[] }>();
  for (const event of events) {
    if (event.type !== 'block.end' || event.goal === null) continue;
    const { name: block, attempt, outcome, message } = event;
    const known = blocks.get(event.goal) ?? { block, attempts: [] };
    blocks.set(event.goal, known);
    known.attempts.push({ attempt, outcome, message });
  }
  return [...blocks.values()].filter(({ attempts }) => attempts.length > 1);
}
