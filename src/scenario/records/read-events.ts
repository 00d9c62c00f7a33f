import type { RunEvent } from '../events/event.ts';
import { EventChain } from './event-chain.ts';
import { readLines } from './read-lines.ts';

/** Lines after which others have a turn: a run may be going on in this process. */
const TURN_EVERY = 500;

export interface ReadEvents {
  /** As far as the chain holds. */
  readonly events: RunEvent[];
  /** Length of their lines. */
  readonly bytes: number;
  /** Hash of the last of them. */
  readonly last: string;
}

/** Reads the events of a run as far as each line follows the one before. @throws the system's error */
export async function readEvents(path: string, anchor: string): Promise<ReadEvents> {
  const chain = new EventChain(anchor);
  const events: RunEvent[] = [];
  let bytes = 0;
  for await (const { text, end } of readLines(path)) {
    const event = chain.eventOf(text);
    if (!event) break;
    events.push(event);
    bytes = end;
    if (events.length % TURN_EVERY === 0) await new Promise<void>((resolve) => setImmediate(resolve));
  }
  return { events, bytes, last: chain.last };
}
