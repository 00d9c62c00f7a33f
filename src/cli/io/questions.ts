import { createInterface, type Interface } from 'node:readline';
import { visible } from '../diagnostics/cells.ts';
import type { Io } from './io.ts';

/**
 * Questions to a person, one after the other, on one reader: lines of a script that come early wait for their question, those
 * typed ahead at a terminal are discarded.
 */
export class Questions {
  readonly #io: Pick<Io, 'stdin' | 'stderr'>;
  readonly #signal: AbortSignal;
  readonly #early: string[] = [];
  #lines: Interface | undefined;
  #hasEnded = false;
  #waiting: ((line: string | undefined) => void) | undefined;

  constructor(io: Pick<Io, 'stdin' | 'stderr'>, signal: AbortSignal) {
    this.#io = io;
    this.#signal = signal;
  }

  /** @returns the line; undefined when the input has ended. @throws the signal's reason */
  ask(question: string): Promise<string | undefined> {
    this.#signal.throwIfAborted();
    this.#open();
    const { stdin, stderr } = this.#io;
    if (stdin.isTTY) this.#early.length = 0;
    stderr.write(`${visible(question)}: `);
    const early = this.#early.shift();
    if (early !== undefined || this.#hasEnded) return Promise.resolve(early);
    return new Promise((resolve, reject) => {
      const onAbort = () => {
        this.#waiting = undefined;
        reject(this.#signal.reason);
      };
      this.#signal.addEventListener('abort', onAbort, { once: true });
      this.#waiting = (line) => {
        this.#waiting = undefined;
        this.#signal.removeEventListener('abort', onAbort);
        resolve(line);
      };
    });
  }

  close(): void {
    this.#lines?.close();
    if (this.#lines) this.#io.stdin.pause();
  }

  #open(): void {
    if (this.#lines) return;
    // Not in raw mode: Ctrl-C stays a signal.
    this.#lines = createInterface({ input: this.#io.stdin, terminal: false });
    this.#lines.on('line', (line) => (this.#waiting ? this.#waiting(line) : this.#early.push(line)));
    this.#lines.on('close', () => {
      this.#hasEnded = true;
      this.#waiting?.(undefined);
    });
  }
}
