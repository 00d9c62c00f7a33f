import process from 'node:process';
import { CodedError, messageOf } from '../../lib/errors/coded-error.ts';
import { CliError } from '../errors/cli-error.ts';
import { EXIT } from '../errors/exit-code.ts';
import type { Io } from '../io/io.ts';

/** One sentence on stderr; with `--json` the same as the one document on stdout. @returns the exit code */
export function tellFault(thrown: unknown, args: readonly string[], { stdout, stderr }: Io): number {
  const known = thrown instanceof CodedError;
  const error = known ? messageOf(thrown) : `internal error: ${messageOf(thrown)}`;
  const code = known ? thrown.code : 'internal_error';
  stderr.write(`svcctl: ${error}\n`);
  if (args.includes('--json')) stdout.write(`${JSON.stringify({ ok: false, error, code })}\n`);
  if (thrown instanceof CliError) return thrown.exitCode;
  return code === 'config_error' ? EXIT.usage : EXIT.error;
}

/** The exit code of this process. A bridge or a guard that was asked too and has not answered yet must not hold the operator up. */
export function finish(args: readonly string[], exitCode: number): void {
  process.exitCode = exitCode;
  if (args[0] === 'stop') endAfter(process.stdout);
}

/** Ends the process as soon as all that was printed is written. */
function endAfter(stream: NodeJS.WriteStream): void {
  if (stream.writableLength === 0) process.exit();
  stream.write('', () => process.exit());
}
