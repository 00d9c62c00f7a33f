import type { Outcome, RunEvent } from '../events/event.ts';

interface BlockAttempt {
  readonly attempt: number;
  readonly outcome: Outcome;
  readonly message: string | null;
}

/** A block that was tried again, with every attempt: a fault that went away stays visible. */
export interface RetriedBlock {
  readonly block: string;
  /** How often order or GOTO had led to the block, from 1: entering it again is no retry. */
  readonly entry: number;
  readonly attempts: readonly BlockAttempt[];
}

/** The blocks of a run that were tried again within one entry, in the order of their first attempt. */
export function retriesOf(events: readonly RunEvent[]): RetriedBlock[] {
  const entries = new Map<number | null, number>();
  const blocks = new Map<string, { block: string; entry: number; attempts: BlockAttempt[] }>();
  for (const event of events) {
    if (event.type === 'block.start') entries.set(event.goal, event.entry ?? 1);
    if (event.type !== 'block.end' || event.goal === null) continue;
    const { name: block, attempt, outcome, message } = event;
    const entry = entries.get(event.goal) ?? 1;
    const key = `${event.goal} ${entry}`;
    const known = blocks.get(key) ?? { block, entry, attempts: [] };
    blocks.set(key, known);
    known.attempts.push({ attempt, outcome, message });
  }
  return [...blocks.values()].filter(({ attempts }) => attempts.length > 1);
}
