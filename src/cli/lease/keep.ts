import process from 'node:process';
import type { Io } from '../io/io.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Does the work again and again until a signal ends the command.
 * @param work rejects when there is nothing to keep any more
 */
export async function keep(work: () => Promise<void>, everyMs: number, { clock }: Io): Promise<void> {
  const stop = new AbortController();
  const end = () => stop.abort();
  for (const name of SIGNALS) process.on(name, end);
  try {
    while (!stop.signal.aborted) {
      await work();
      await clock.sleep(everyMs, stop.signal).catch(() => {});
    }
  } finally {
    for (const name of SIGNALS) process.off(name, end);
  }
}
