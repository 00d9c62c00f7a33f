import type { Clock } from '../../lib/clock/clock.ts';

interface Terminal {
  write(text: string): unknown;
  readonly isTTY?: boolean;
}

/** Says what a start is doing, one line for each phase. On a terminal the line is there while the phase runs. */
export class Phases {
  readonly #terminal: Terminal;
  readonly #clock: Clock;
  readonly #colour: boolean;
  #open = '';

  constructor(terminal: Terminal, clock: Clock, env: Readonly<Record<string, string | undefined>>) {
    this.#terminal = terminal;
    this.#clock = clock;
    this.#colour = terminal.isTTY === true && !env.NO_COLOR;
  }

  /** @param work gives the words behind the name and the time */
  async run<T>(name: string, work: () => Promise<readonly [words: string, result: T]>): Promise<T> {
    const startedAt = this.#clock.monotonic();
    if (this.#terminal.isTTY) this.#show(`  \u2026 ${name}`);
    try {
      const [words, result] = await work();
      this.#line(this.#paint(32, '\u2713'), name, startedAt, words);
      return result;
    } catch (error) {
      this.#line(this.#paint(31, '\u2717'), name, startedAt, '');
      throw error;
    }
  }

  say(text = ''): void {
    const open = this.#open;
    this.#terminal.write(`${this.#cleared()}${text}\n`);
    if (open !== '') this.#show(open);
  }

  #show(text: string): void {
    this.#terminal.write(text);
    this.#open = text;
  }

  /** What takes the line of the running phase away. */
  #cleared(): string {
    if (this.#open === '') return '';
    this.#open = '';
    return '\r\x1b[K';
  }

  #line(mark: string, name: string, startedAt: number, words: string): void {
    const seconds = ((this.#clock.monotonic() - startedAt) / 1000).toFixed(1).padStart(5);
    const line = `  ${mark} ${name.padEnd(12)}${seconds} s  ${words}`.trimEnd();
    this.#terminal.write(`${this.#cleared()}${line}\n`);
  }

  #paint(code: number, text: string): string {
    return this.#colour ? `\x1b[${code}m${text}\x1b[0m` : text;
  }
}
