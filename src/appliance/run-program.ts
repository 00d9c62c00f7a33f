import { spawnSync } from 'node:child_process';
import { ApplianceError } from './appliance-error.ts';

const LIMIT_MS = 120_000;

/**
 * Runs a program of the system to its end.
 * @param input its standard input
 * @returns its standard output
 * @throws ApplianceError `step_failed` with what it printed
 */
export function runProgram(program: string, args: readonly string[], input?: string): string {
  const { status, signal, stdout, stderr, error } = spawnSync(program, args, {
    encoding: 'utf8',
    timeout: LIMIT_MS,
    ...(input === undefined ? {} : { input }),
    env: { ...process.env, PATH: `${process.env.PATH}:/usr/sbin:/sbin`, LC_ALL: 'C' },
  });
  if (status === 0) return stdout;
  const why =
    error?.message ?? (`${stderr}`.trim().split('\n').slice(0, 3).join(' / ') || `${status ?? signal}`);
  throw new ApplianceError('step_failed', `${program} ${args.slice(0, 3).join(' ')} failed: ${why}`);
}
