import { existsSync, readFileSync } from 'node:fs';
import { systemClock } from '../../../src/lib/clock/clock.ts';
import type { RunEvent } from '../../../src/scenario/events/event.ts';

const POLL_MS = 3;

/** The event stream of a run, as the file of `--events` has it so far. */
export function eventsIn(path: string): RunEvent[] {
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, 'utf8').split('\n');
  // What comes after the last line feed is half a line, or nothing.
  return lines.slice(0, -1).map((line) => JSON.parse(line) as RunEvent);
}

/** Ends of commands: the boundaries at which a blow may fall. */
export const boundariesOf = (events: readonly RunEvent[]) =>
  events.filter((event) => event.type === 'command.end');

/**
 * Resolves when the stream shows the end of command `boundary` (1 is the first), or when the run has ended before.
 * @returns whether the boundary was reached
 */
export async function untilBoundary(
  path: string,
  boundary: number,
  ended: Promise<unknown>,
): Promise<boolean> {
  let hasEnded = false;
  const note = () => {
    hasEnded = true;
  };
  ended.then(note, note);
  while (boundariesOf(eventsIn(path)).length < boundary) {
    if (hasEnded) return boundariesOf(eventsIn(path)).length >= boundary;
    await systemClock.sleep(POLL_MS);
  }
  return true;
}

/** Wall clock of the moment from which the run went for its end: the first block of its teardown, or its safe state. */
export function endingAtMs(events: readonly RunEvent[]): number | undefined {
  const found = events.find(
    (event) => (event.type === 'block.start' && event.teardown) || event.type === 'safe-state',
  );
  return found && Date.parse(found.time);
}
