import { CommanderError } from 'commander';
import { CodedError, messageOf } from '../../lib/errors/coded-error.ts';
import { CliError } from '../errors/cli-error.ts';
import { EXIT } from '../errors/exit-code.ts';
import type { Io } from '../io/io.ts';
import { commandLine } from './command-line.ts';
import { fullArguments } from './full-arguments.ts';

/** Runs one invocation. Never rejects. @returns the exit code */
export async function svcctl(args: readonly string[], io: Io): Promise<number> {
  try {
    let exitCode: number = EXIT.ok;
    const program = commandLine(io, (code) => {
      exitCode = code;
    });
    if (args.length === 0) {
      io.stderr.write(program.helpInformation());
      return EXIT.usage;
    }
    const names = program.commands.map((command) => command.name());
    await program.parseAsync(fullArguments(args, names, io.cwd), { from: 'user' });
    return exitCode;
  } catch (thrown) {
    // Help and version, when they were asked for.
    if (thrown instanceof CommanderError && thrown.exitCode === 0) return EXIT.ok;
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
