import type { SteppedClock } from '../../lib/clock/stepped-clock.ts';

/** Moves the clock until `promise` has settled. @throws RangeError when it has not after `limitMs` of stepped time */
export async function stepUntil<T>(clock: SteppedClock, promise: Promise<T>, limitMs = 600_000): Promise<T> {
  let settled = false;
  const done = () => {
    settled = true;
  };
  promise.then(done, done);
  const endMs = clock.monotonic() + limitMs;
  await clock.advance(0);
  while (!settled) {
    if (clock.monotonic() > endMs)
      throw new RangeError(`nothing came of it within ${limitMs} ms of stepped time`);
    await clock.advance(10);
  }
  return promise;
}
