import { CodedError, messageOf } from '../../lib/errors/coded-error.ts';
import { CliError } from '../errors/cli-error.ts';
import { EXIT } from '../errors/exit-code.ts';
import { type Io, processIo } from '../io/io.ts';
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
    return tell(thrown, args, io);
  }
}

/** One sentence on stderr; with `--json` the same as the one document on stdout. */
function tell(thrown: unknown, args: readonly string[], { stdout, stderr }: Io): number {
  const known = thrown instanceof CodedError;
  const error = known ? messageOf(thrown) : `internal error: ${messageOf(thrown)}`;
  const code = known ? thrown.code : 'internal_error';
  stderr.write(`svcctl: ${error}\n`);
  if (args.includes('--json')) stdout.write(`${JSON.stringify({ ok: false, error, code })}\n`);
  if (thrown instanceof CliError) return thrown.exitCode;
  return code === 'config_error' ? EXIT.usage : EXIT.error;
}

const args = process.argv.slice(2);

void svcctl(args, processIo()).then((exitCode) => {
  process.exitCode = exitCode;
  // A bridge or a guard that was asked too and has not answered yet must not hold the operator up.
  if (args[0] === 'stop') endAfter(process.stdout);
});

/** Ends the process as soon as all that was printed is written. */
function endAfter(stream: NodeJS.WriteStream): void {
  if (stream.writableLength === 0) process.exit();
  stream.write('', () => process.exit());
}
