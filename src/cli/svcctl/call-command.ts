import { CommanderError } from 'commander';
import { EXIT } from '../errors/exit-code.ts';
import type { Io } from '../io/io.ts';
import { commandLine } from './command-line.ts';
import { fullArguments } from './full-arguments.ts';

/** Calls the command that the arguments name. @returns the exit code. @throws CliError for wrong usage */
export async function callCommand(args: readonly string[], io: Io): Promise<number> {
  let exitCode: number = EXIT.ok;
  const program = commandLine(io, (code) => {
    exitCode = code;
  });
  if (args.length === 0) {
    io.stderr.write(program.helpInformation());
    return EXIT.usage;
  }
  const names = program.commands.map((command) => command.name());
  try {
    await program.parseAsync(fullArguments(args, names, io.cwd), { from: 'user' });
  } catch (thrown) {
    // Help and version, when they were asked for.
    if (thrown instanceof CommanderError && thrown.exitCode === 0) return EXIT.ok;
    throw thrown;
  }
  return exitCode;
}
