import process from 'node:process';
import { type Io, processIo } from '../io/io.ts';
import { finish, tellFault } from './finish.ts';
import { plainStop } from './plain-stop.ts';

/** Runs one invocation. A stop does not wait until the whole command line is loaded. Never rejects. @returns the exit code */
async function svcctl(args: readonly string[], io: Io): Promise<number> {
  try {
    const stop = plainStop(args);
    if (stop) {
      const { stopCommand } = await import('../stop/stop-command.ts');
      return await stopCommand(stop, io);
    }
    const { callCommand } = await import('./call-command.ts');
    return await callCommand(args, io);
  } catch (thrown) {
    return tellFault(thrown, args, io);
  }
}

const args = process.argv.slice(2);

void svcctl(args, processIo()).then((exitCode) => finish(args, exitCode));
