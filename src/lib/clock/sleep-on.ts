/**
 * A sleep made of a timer: resolves when it fires, rejects with the signal's reason when that aborts first. Timer and
 * listener are gone in either case.
 *
 * @param timer sets the timer, as `Clock.after` does
 */
export function sleepOn(timer: (action: () => void) => () => void, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason);
      return;
    }
    const onAbort = () => {
      cancel();
      reject(signal?.reason);
    };
    const cancel = timer(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    });
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}
