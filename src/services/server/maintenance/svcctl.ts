import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type * as z from 'zod';
import type { Clock } from '../../../lib/clock/clock.ts';
import { messageOf } from '../../../lib/errors/coded-error.ts';
import { HttpError } from '../../../lib/http/http-error.ts';
import { isProblemCode } from '../../../lib/http/problem-table.ts';

/** Beside a built program; for the sources the folder of the build. */
const PLACES = ['./svcctl.cjs', '../../../../dist/svcctl.cjs'];
/** Of `svcctl`: another program has what the command needs. */
const IN_USE = 75;
/** What is kept of its standard error, characters. */
const SAID = 4000;

export interface Command {
  args: readonly string[];
  /** Milliseconds. */
  limitMs: number;
  /** It changes the rig: it goes to its end, whatever becomes of the request or of this process. */
  isChange?: boolean;
  signal?: AbortSignal;
}

/**
 * `svcctl` as a process of its own, so that a line that hangs while it is probed, or a slow PM2, holds up neither a run nor
 * a stop. The page shows what a person would see at a terminal.
 */
export class Svcctl {
  readonly #env: Readonly<Record<string, string | undefined>>;
  readonly #clock: Clock;
  readonly #looks = new Set<ChildProcess>();

  /** @param env of this rig: its bridge, its configuration, its token */
  constructor(env: Readonly<Record<string, string | undefined>>, clock: Clock) {
    this.#env = env;
    this.#clock = clock;
  }

  /**
   * Runs a command with `--json`. @returns the document that it printed, whatever its exit code
   * @throws HttpError with the refusal of the command, or why there is no document
   */
  async ask<T>(command: Command, document: z.ZodType<T>): Promise<T> {
    const name = `svcctl ${command.args.join(' ')}`;
    const { exitCode, stdout, stderr } = await this.#run(command, name);
    const said = parsed(stdout);
    const result = document.safeParse(said);
    if (result.success) return result.data;
    const refusal = said as { error?: unknown; code?: unknown } | undefined;
    if (typeof refusal?.error === 'string') {
      const code = String(refusal.code);
      throw new HttpError(
        isProblemCode(code) ? code : exitCode === IN_USE ? 'held_by_other' : 'not_done',
        refusal.error,
      );
    }
    throw new HttpError(
      'not_done',
      `${name} ended with ${exitCode} and no answer that can be read: ${stderr.trim() || 'it said nothing'}`,
    );
  }

  /** Looks end with the server; a change goes to its end. */
  close(): void {
    for (const child of this.#looks) child.kill('SIGKILL');
  }

  async #run({ args, limitMs, isChange = false, signal }: Command, name: string) {
    const program = PLACES.map((place) => fileURLToPath(new URL(place, import.meta.url))).find(existsSync);
    if (program === undefined)
      throw new HttpError('not_done', 'svcctl.cjs is missing beside svc-server: npm run build');
    const child = spawn(process.execPath, [program, ...args, '--json'], {
      env: { ...this.#env, NO_COLOR: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: isChange,
    });
    let [stdout, stderr] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr = (stderr + text).slice(-SAID);
    });
    let isLate = false;
    if (!isChange) this.#looks.add(child);
    const end = () => {
      if (!isChange) child.kill('SIGKILL');
    };
    const cancel = this.#clock.after(limitMs, () => {
      isLate = true;
      end();
    });
    signal?.addEventListener('abort', end, { once: true });
    try {
      const exitCode = await new Promise<number | null>((resolve, reject) => {
        child.once('error', reject);
        child.once('close', resolve);
      });
      if (isLate) throw new HttpError('device_timeout', `${name} was not done within ${limitMs / 1000} s`);
      return { exitCode, stdout, stderr };
    } catch (thrown) {
      if (thrown instanceof HttpError) throw thrown;
      throw new HttpError('not_done', `${name} cannot be started: ${messageOf(thrown)}`, { cause: thrown });
    } finally {
      cancel();
      this.#looks.delete(child);
      signal?.removeEventListener('abort', end);
    }
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
