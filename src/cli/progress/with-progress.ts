import type { Io } from '../io/io.ts';
import { StatusLine } from './status-line.ts';

/** Shows a status line on stderr while `work` runs, when stderr is a terminal. @param text asked at each drawing */
export async function withProgress<T>(
  { stderr, clock }: Pick<Io, 'stderr' | 'clock'>,
  text: () => string,
  work: () => Promise<T>,
): Promise<T> {
  if (!stderr.isTTY) return work();
  const line = new StatusLine(stderr, clock, text);
  line.start();
  try {
    return await work();
  } finally {
    line.stop();
  }
}
