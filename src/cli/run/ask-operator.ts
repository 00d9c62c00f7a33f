import { createInterface } from 'node:readline';
import { visible } from '../diagnostics/cells.ts';
import type { Io } from '../io/io.ts';

/**
 * Asks the operator on the terminal and waits for the answer.
 * @returns the line typed; null when the input ended
 * @throws the signal's reason when the run is aborted first
 */
export function askOperator(
  message: string,
  { stdin, stderr }: Pick<Io, 'stdin' | 'stderr'>,
  signal: AbortSignal,
): Promise<string | null> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(signal.reason);
      return;
    }
    // Not in raw mode: Ctrl-C stays a signal, which aborts the run as it does everywhere else.
    const lines = createInterface({ input: stdin, output: stderr, terminal: false });
    const end = (settle: () => void) => {
      signal.removeEventListener('abort', onAbort);
      lines.removeAllListeners();
      lines.close();
      stdin.pause();
      settle();
    };
    const onAbort = () =>
      end(() => {
        stderr.write('\n');
        reject(signal.reason);
      });
    signal.addEventListener('abort', onAbort, { once: true });
    lines.once('line', (line) => end(() => resolve(line)));
    lines.once('close', () => end(() => resolve(null)));
    stderr.write(`${visible(message)} [Enter confirms, n refuses] `);
  });
}
