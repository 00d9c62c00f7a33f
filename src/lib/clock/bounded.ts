import type { Milliseconds } from '../quantity.ts';
import type { Clock } from './clock.ts';

/**
 * Ends in time, whatever `work` does: at the limit its signal aborts and it is no longer awaited.
 *
 * @throws what `work` throws; `late()` at the limit
 */
export async function bounded<T>(
  work: (signal: AbortSignal) => Promise<T>,
  { clock, limitMs, late }: { clock: Clock; limitMs: Milliseconds; late: () => Error },
): Promise<T> {
  const limit = new AbortController();
  let cancel = () => {};
  const atLimit = new Promise<never>((_, reject) => {
    cancel = clock.after(limitMs, () => {
      const error = late();
      reject(error);
      limit.abort(error);
    });
  });
  try {
    return await Promise.race([work(limit.signal), atLimit]);
  } finally {
    cancel();
  }
}

/** Resolves when the work has ended or the time is over, counted from now; the work goes on. @param work never rejects */
export async function endOrTime(work: Promise<unknown>, clock: Clock, ms: Milliseconds): Promise<void> {
  let cancel = () => {};
  const over = new Promise<void>((resolve) => {
    cancel = clock.after(ms, resolve);
  });
  await Promise.race([over, work]);
  cancel();
}
