import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const LIMIT_MS = 5 * 60_000;
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;
/** A list of packages and an error for each of them tell no more than the first few. */
const SHOWN_ARGUMENTS = 3;
const SHOWN_LINES = 3;

export interface CommandOptions {
  cwd?: string;
  env?: Record<string, string>;
  /** Milliseconds. */
  timeoutMs?: number;
}

/**
 * Standard output of a program, in plain English whatever the locale.
 *
 * @throws Error with what the program said
 */
export async function output(
  program: string,
  args: readonly string[],
  options: CommandOptions = {},
): Promise<string> {
  const { timeoutMs = LIMIT_MS, cwd, env = {} } = options;
  try {
    const { stdout } = await promisify(execFile)(program, [...args], {
      cwd,
      env: { ...process.env, LC_ALL: 'C', ...env },
      timeout: timeoutMs,
      maxBuffer: MAX_OUTPUT_BYTES,
    });
    return stdout;
  } catch (cause) {
    const { code, stderr, stdout } = cause as { code?: unknown; stderr?: string; stdout?: string };
    const said =
      [stderr, stdout].map((text) => faultLines(text ?? '')).find((text) => text !== '') ?? 'nothing';
    const message = `${program} ${args.slice(0, SHOWN_ARGUMENTS).join(' ')} failed (${String(code)}) and said: ${said}`;
    throw new Error(message, { cause });
  }
}

/** The first lines of what a program said, without apt's warnings. */
function faultLines(text: string): string {
  const lines = text.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('W: '));
  return lines.slice(0, SHOWN_LINES).join('\n');
}
