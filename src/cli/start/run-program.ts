import { spawn } from 'node:child_process';
import type { Clock } from '../../lib/clock/clock.ts';

export interface ProgramEnd {
  /** null after a signal. */
  code: number | null;
  /** Both streams, in the order they came. */
  output: string;
  timedOut: boolean;
}

/** Runs a Node program to its end, out of reach of the terminal's Ctrl-C: what it has begun it finishes. */
export function runProgram(
  [file, ...args]: readonly [string, ...string[]],
  { env, cwd, limitMs, clock }: { env: Record<string, string>; cwd: string; limitMs: number; clock: Clock },
): Promise<ProgramEnd> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [file, ...args], {
      env,
      cwd,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    let timedOut = false;
    const cancel = clock.after(limitMs, () => {
      timedOut = true;
      child.kill('SIGKILL');
    });
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (chunk: string) => {
        output += chunk;
      });
    child.once('error', (error) => {
      cancel();
      reject(error);
    });
    // Not `close`: the daemon that PM2 leaves behind could hold the streams.
    child.once('exit', (code) => {
      cancel();
      child.stdout.destroy();
      child.stderr.destroy();
      resolve({ code, output, timedOut });
    });
  });
}
