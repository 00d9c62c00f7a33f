import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** The longest of them makes a Debian root file system under emulation. */
const LIMIT_MS = 45 * 60_000;
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;
const SHOWN_LINES = 8;

export interface CommandOptions {
  cwd?: string;
  env?: Readonly<Record<string, string>>;
}

/** Standard output of a program. @throws Error with the last lines of what the program printed */
export async function output(
  program: string,
  args: readonly string[],
  { cwd, env = {} }: CommandOptions = {},
): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)(program, [...args], {
      cwd,
      env: { ...process.env, LC_ALL: 'C', ...env },
      timeout: LIMIT_MS,
      maxBuffer: MAX_OUTPUT_BYTES,
    });
    return stdout;
  } catch (cause) {
    const { code, stderr = '', stdout = '' } = cause as { code?: unknown; stderr?: string; stdout?: string };
    const said = stderr.trim() === '' ? stdout : stderr;
    const lines = said.split('\n').filter((line) => line.trim() !== '');
    const shown = lines.slice(-SHOWN_LINES).join('\n');
    throw new Error(`${program} ${args.slice(0, 3).join(' ')} failed (${String(code)}):\n${shown}`, {
      cause,
    });
  }
}
