import type { Clock } from '../../../src/lib/clock/clock.ts';

const POLL_MS = 200;

/**
 * Looks until what is seen is as wanted.
 *
 * @returns what was seen then
 * @throws Error with what was seen last
 */
export async function until<T>(
  clock: Clock,
  what: string,
  limitMs: number,
  look: () => Promise<T>,
  isWanted: (seen: T) => boolean,
): Promise<T> {
  const endsAt = clock.monotonic() + limitMs;
  for (;;) {
    const seen = await look();
    if (isWanted(seen)) return seen;
    if (clock.monotonic() > endsAt)
      throw new Error(`${what}: not within ${limitMs} ms, last seen ${JSON.stringify(seen)}`);
    await clock.sleep(POLL_MS);
  }
}
