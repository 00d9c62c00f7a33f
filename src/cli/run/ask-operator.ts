import { createInterface } from 'node:readline';
import type { PromptQuestion } from '../../scenario/run/prompt-answer.ts';
import { formatDuration } from '../../scenario/values/duration.ts';
import { visible } from '../diagnostics/cells.ts';
import type { Io } from '../io/io.ts';

/**
 * Asks the operator on the terminal and waits for the answer.
 * @returns the line typed; null when the input ended
 * @throws the signal's reason when the question is closed first: by its time-out, a stop, a lost lease
 */
export function askOperator(
  question: PromptQuestion,
  { stdin, stderr }: Pick<Io, 'stdin' | 'stderr'>,
  { signal, again }: { readonly signal: AbortSignal; readonly again: string | undefined },
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
    stderr.write(again === undefined ? asked(question) : `${visible(again)}\n${hint(question)}`);
  });
}

function asked(question: PromptQuestion): string {
  const { message, choices, timeoutMs } = question;
  const lines = [
    visible(message) + (timeoutMs === null ? '' : ` (within ${formatDuration(timeoutMs)})`),
    ...choices.map((choice, i) => `  ${i + 1}  ${visible(choice)}`),
  ];
  return `${lines.join('\n')}${choices.length > 0 ? '\n' : ' '}${hint(question)}`;
}

function hint({ asks, choices, name }: PromptQuestion): string {
  if (asks === 'confirmation') return '[y/n] ';
  return asks === 'choice' ? `[1-${choices.length}] ` : `[${name ?? 'answer'}] `;
}
