import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const LIMIT_MS = 5 * 60_000;
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

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
    const said = [stderr, stdout].find((text) => text?.trim())?.trim() ?? 'nothing';
    const message = `${program} ${args.join(' ')} failed (${String(code)}) and said: ${said}`;
    throw new Error(message, { cause });
  }
}
