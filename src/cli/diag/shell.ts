import { chmodSync, closeSync, openSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import { CodedError, messageOf } from '../../lib/errors/coded-error.ts';
import { replaceFile } from '../../lib/files/replace-file.ts';
import { suggest } from '../../scenario/diagnostics/suggest.ts';
import { CliError } from '../errors/cli-error.ts';
import { EXIT } from '../errors/exit-code.ts';
import type { Io } from '../io/io.ts';
import { wrapped } from '../io/wrapped.ts';
import type { DiagContext } from './diag-context.ts';
import { SHELL_COMMANDS, type ShellCommand } from './shell-commands.ts';

export interface ShellOptions {
  json?: true;
  yes?: true;
  strict?: true;
  plain?: true;
  force?: true;
  firmwareUrl?: string;
}

const PROMPT = 'svc-diag> ';
const HISTORY_LINES = 500;
const ENDINGS = ['exit', 'quit'];

/**
 * The diagnostic shell. A command that fails leaves it running; Ctrl-C cancels the command, at the prompt the line; the end of the
 * input, a lost terminal and `exit` end it. Lines of a script wait for their turn, lines typed while a command runs are discarded.
 * @returns 0; with `strict` the exit code of the first command of a script that failed, which ends it
 */
export async function shell(options: ShellOptions, io: Io): Promise<number> {
  const session = new ShellSession(options, io);
  try {
    return await session.run();
  } finally {
    session.close();
  }
}

class ShellSession {
  readonly #options: ShellOptions;
  readonly #io: Io;
  readonly #lines: Interface;
  readonly #isTerminal: boolean;
  readonly #history: string | undefined;
  readonly #waiting: string[] = [];
  #wake: ((line: string | undefined) => void) | undefined;
  #hasEnded = false;
  #command: AbortController | undefined;
  #json: boolean;

  constructor(options: ShellOptions, io: Io) {
    this.#options = options;
    this.#io = io;
    this.#json = options.json === true;
    const { stdin, stdout, env } = io;
    this.#isTerminal = stdin.isTTY === true && stdout.isTTY === true && env.TERM !== 'dumb' && !options.plain;
    this.#history = this.#isTerminal ? historyFile(env) : undefined;
    this.#lines = createInterface({
      input: stdin,
      output: stdout,
      terminal: this.#isTerminal,
      historySize: HISTORY_LINES,
      history: this.#history === undefined ? [] : readHistory(this.#history),
      removeHistoryDuplicates: true,
      completer: (line: string) => completions(line),
      prompt: this.#isTerminal ? PROMPT : '',
    });
    this.#lines.on('line', (line) => this.#take(line));
    this.#lines.on('close', () => this.#end());
    this.#lines.on('SIGINT', () => this.#cancel('SIGINT'));
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, this.#onSignal);
    stdout.once('error', () => this.#onSignal('SIGHUP'));
  }

  async run(): Promise<number> {
    if (this.#isTerminal) this.#io.stdout.write('svc-rig diagnostics: help lists the commands, exit ends\n');
    for (;;) {
      this.#lines.prompt();
      const line = await this.#next();
      if (line === undefined) return EXIT.ok;
      const words = line.trim().split(/\s+/);
      const [name = '', ...args] = words;
      if (name === '' || name.startsWith('#')) continue;
      if (ENDINGS.includes(name)) return EXIT.ok;
      const exitCode = await this.#execute(name, args);
      if (this.#hasEnded && this.#isTerminal) return exitCode;
      if (exitCode !== EXIT.ok && this.#options.strict && !this.#isTerminal) return exitCode;
    }
  }

  close(): void {
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.off(name, this.#onSignal);
    if (this.#history !== undefined)
      writeHistory(this.#history, (this.#lines as Interface & { history?: string[] }).history ?? []);
    this.#lines.close();
    this.#io.stdin.pause();
  }

  async #execute(name: string, args: readonly string[]): Promise<number> {
    const { io } = { io: this.#io };
    if (name === 'json') {
      this.#json = !this.#json;
      io.stdout.write(`JSON output is ${this.#json ? 'on' : 'off'}\n`);
      return EXIT.ok;
    }
    this.#command = new AbortController();
    const { signal } = this.#command;
    try {
      const command = commandNamed(name);
      const { document, lines, exitCode } = await command.run(this.#context(signal), args);
      const text = this.#json
        ? JSON.stringify(document)
        : lines.flatMap((line) => wrapped(line, io.stdout, 2)).join('\n');
      io.stdout.write(`${text}\n`);
      return exitCode;
    } catch (thrown) {
      const isCancelled = signal.aborted;
      const known = thrown instanceof CodedError;
      const error = isCancelled
        ? `${name} was cancelled`
        : known
          ? messageOf(thrown)
          : `internal error: ${messageOf(thrown)}`;
      io.stderr.write(`svc-diag: ${error}\n`);
      if (this.#json)
        io.stdout.write(
          `${JSON.stringify({ ok: false, error, code: known ? thrown.code : 'internal_error' })}\n`,
        );
      if (isCancelled) return EXIT.aborted;
      return thrown instanceof CliError ? thrown.exitCode : EXIT.error;
    } finally {
      this.#command = undefined;
    }
  }

  #context(signal: AbortSignal): DiagContext {
    const { firmwareUrl, yes, force } = this.#options;
    return {
      io: this.#io,
      json: this.#json,
      signal,
      ...(firmwareUrl ? { firmwareUrl } : {}),
      ...(yes ? { yes } : {}),
      ...(force ? { force } : {}),
      ...(this.#io.stdin.isTTY ? { ask: (question: string) => this.#asked(question, signal) } : {}),
    };
  }

  /** A question of a command. What was typed before it does not count. */
  async #asked(question: string, signal: AbortSignal): Promise<string | undefined> {
    this.#waiting.length = 0;
    this.#lines.setPrompt(`${question}: `);
    this.#lines.prompt();
    this.#lines.setPrompt(this.#isTerminal ? PROMPT : '');
    const cancelled = new Promise<undefined>((resolve) => {
      signal.addEventListener('abort', () => resolve(undefined), { once: true });
    });
    const line = await Promise.race([this.#next(), cancelled]);
    this.#wake = undefined;
    return line;
  }

  #next(): Promise<string | undefined> {
    const line = this.#waiting.shift();
    if (line !== undefined || this.#hasEnded) return Promise.resolve(line);
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  #take(line: string): void {
    const wake = this.#wake;
    this.#wake = undefined;
    if (wake) wake(line);
    // A script is read ahead; what a person types into a running command is not meant for the next one.
    else if (!this.#io.stdin.isTTY) this.#waiting.push(line);
  }

  #end(): void {
    this.#hasEnded = true;
    // A terminal that is gone ends the command; the end of a script does not.
    if (this.#io.stdin.isTTY) this.#command?.abort();
    this.#wake?.(undefined);
  }

  /** Ctrl-C cancels the command that runs; at the prompt it discards the line. */
  #cancel(name: NodeJS.Signals): void {
    if (this.#command) {
      if (this.#command.signal.aborted) return;
      this.#io.stderr.write(`\n${name}: the command is cancelled; what it switched on is made safe\n`);
      this.#command.abort();
      return;
    }
    this.#io.stdout.write('^C\n');
    (this.#lines as Interface & { line: string; cursor: number }).line = '';
    (this.#lines as Interface & { line: string; cursor: number }).cursor = 0;
    this.#lines.prompt();
  }

  readonly #onSignal = (name: NodeJS.Signals): void => {
    if (name === 'SIGINT') {
      this.#cancel(name);
      return;
    }
    this.#hasEnded = true;
    this.#command?.abort();
    this.#waiting.length = 0;
    this.#wake?.(undefined);
  };
}

/** @throws CliError with the name that was probably meant */
function commandNamed(name: string): ShellCommand {
  const command = SHELL_COMMANDS[name];
  if (command) return command;
  const near = suggest(name, [...Object.keys(SHELL_COMMANDS), 'json', ...ENDINGS]);
  throw new CliError(
    'usage',
    `unknown command "${name}"; ${near ? `did you mean ${near}?` : 'help lists the commands'}`,
    EXIT.usage,
  );
}

function completions(line: string): [string[], string] {
  const names = [...Object.keys(SHELL_COMMANDS), 'json', ...ENDINGS].sort();
  const found = names.filter((name) => name.startsWith(line));
  return [found.length > 0 ? found : names, line];
}

const historyFile = (env: Io['env']): string => join(env.HOME || homedir(), '.svc_diag_history');

function readHistory(path: string): string[] {
  try {
    return readFileSync(path, 'utf8')
      .split('\n')
      .filter((line) => line !== '');
  } catch {
    return [];
  }
}

/** Mode 0600: what was typed is the person's own. A home that cannot be written keeps no history. */
function writeHistory(path: string, lines: readonly string[]): void {
  try {
    closeSync(openSync(path, 'a', 0o600));
    chmodSync(path, 0o600);
    replaceFile(path, `${lines.slice(0, HISTORY_LINES).join('\n')}\n`);
  } catch {
    // The shell ends all the same.
  }
}
