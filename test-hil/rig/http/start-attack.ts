import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const ATTACKER = fileURLToPath(new URL('./attacker.ts', import.meta.url));

/** @param name beginning of the names of the attacks, one after the other, each for `seconds`; all by default */
export function startAttack(
  url: string,
  { seconds, name = '' }: { seconds: number; name?: string },
): ChildProcess {
  const args = ['--import', 'tsx', ATTACKER, url, String(seconds), name];
  return spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
}
