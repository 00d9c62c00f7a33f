import { createInterface } from 'node:readline';
import type { Io } from '../io/io.ts';

/** Asks on the terminal. @returns the line typed; null when the input ended */
export function ask(
  question: string,
  { stdin, stderr }: Pick<Io, 'stdin' | 'stderr'>,
): Promise<string | null> {
  return new Promise((resolve) => {
    // Not in raw mode: Ctrl-C stays a signal and ends the command; nothing has been written by then.
    const lines = createInterface({ input: stdin, output: stderr, terminal: false });
    const end = (line: string | null) => {
      lines.removeAllListeners();
      lines.close();
      stdin.pause();
      resolve(line);
    };
    lines.once('line', end);
    lines.once('close', () => end(null));
    stderr.write(question);
  });
}
