import { EXIT } from '../errors/exit-code.ts';

/** Runs `work` with a signal that Ctrl-C and SIGTERM abort. @returns its exit code, or 130 */
export async function onInterrupt(work: (signal: AbortSignal) => Promise<number>): Promise<number> {
  const stop = new AbortController();
  const abort = () => stop.abort();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, abort);
  try {
    const exitCode = await work(stop.signal);
    return stop.signal.aborted ? EXIT.aborted : exitCode;
  } finally {
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.removeListener(name, abort);
  }
}
