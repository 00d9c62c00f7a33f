import type { Clock } from '../lib/clock/clock.ts';
import { CodedError } from '../lib/errors/coded-error.ts';

/** A test or a hook that did not end in time. */
export class TestTimeoutError extends CodedError {
  constructor(what: string, timeoutMs: number) {
    super('test_timeout', `${what} did not end within ${timeoutMs} ms`);
  }
}

/**
 * Runs `work` and rejects when it takes longer than `timeoutMs` or when `abort`, handed out through `started`, is
 * called first. Work that lost the race goes on unobserved: it cannot be stopped from outside.
 */
export async function withinDeadline(
  work: () => unknown,
  what: string,
  timeoutMs: number,
  clock: Clock,
  started: (abort: (error: unknown) => void) => void = () => {},
): Promise<void> {
  let cancel = () => {};
  const interrupted = new Promise<never>((_resolve, reject) => {
    cancel = clock.after(timeoutMs, () => reject(new TestTimeoutError(what, timeoutMs)));
    started(reject);
  });
  try {
    await Promise.race([Promise.resolve().then(work), interrupted]);
  } finally {
    cancel();
  }
}
