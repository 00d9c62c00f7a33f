import process from 'node:process';
import { version } from '../../lib/version.ts';
import { processIo } from '../io/io.ts';
import { plainStop } from './plain-stop.ts';

/**
 * What an operator waits for in an emergency, and `--version`: a small part of svcctl that is compiled by itself. The rest of the program
 * follows it in the same file as text, and is compiled only where this part does not do (build.mjs).
 * @returns whether the invocation was one of these
 */
export function quick(args: readonly string[]): boolean {
  if (args.length === 1 && (args[0] === '--version' || args[0] === '-V')) {
    process.stdout.write(`${version}\n`);
    return true;
  }
  const stop = plainStop(args);
  if (!stop) return false;
  void Promise.all([import('../stop/stop-command.ts'), import('./finish.ts')]).then(
    async ([{ stopCommand }, { finish, tellFault }]) => {
      const io = processIo();
      finish(args, await stopCommand(stop, io).catch((thrown: unknown) => tellFault(thrown, args, io)));
    },
  );
  return true;
}
