import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { CommanderError } from 'commander';
import { suggest } from '../../scenario/diagnostics/suggest.ts';
import { type CliError, usageError } from '../errors/cli-error.ts';
import { EXIT } from '../errors/exit-code.ts';
import type { Io } from '../io/io.ts';
import { commandLine } from './command-line.ts';
import { MODES } from './commands/run-options.ts';

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

/** Options that were commands once and still work: `--validate-dir DIR`. */
const OLD_FORMS: Readonly<Record<string, string>> = {
  '--validate-dir': 'validate-dir',
  '--identify': 'identify',
  '--status': 'status',
};

const GLOBAL = new Set(['help', '-h', '--help', '-V', '--version']);

/**
 * Puts in the command that an invocation leaves out: a file or URL is run, and an option that was a command becomes
 * one.
 * @throws CliError when the first word is neither a command nor a file, nor looks like one
 */
export function fullArguments(args: readonly string[], commands: readonly string[], cwd: string): string[] {
  const first = args[0];
  const asked = args[1];
  if (first === 'help' && asked !== undefined && !commands.includes(asked))
    throw unknownCommand(asked, commands);
  if (first === undefined || commands.includes(first) || GLOBAL.has(first)) return [...args];
  const end = args.indexOf('--');
  const at = args.findIndex(
    (arg, index) => (end < 0 || index < end) && OLD_FORMS[arg.split('=', 1)[0] ?? ''] !== undefined,
  );
  const old = args[at];
  if (old !== undefined) {
    const [option = '', ...value] = old.split('=');
    const inline = value.length > 0 ? [value.join('=')] : [];
    return [OLD_FORMS[option]!, ...inline, ...args.slice(0, at), ...args.slice(at + 1)];
  }
  if (isWord(first) && !existsSync(resolve(cwd, first))) throw unknownCommand(first, commands);
  return ['run', ...args];
}

/** Neither an option nor anything with a path, an extension or an address in it. */
const isWord = (first: string): boolean => first !== '' && !first.startsWith('-') && !/[./\\:]/.test(first);

/** The refusal of a word that is no command. */
export function unknownCommand(word: string, commands: readonly string[]): CliError {
  const mode = MODES.find((one) => one === word);
  const near =
    (mode && `run --mode ${mode}`) ??
    suggest(word, commands) ??
    commands.find((one) => word.length > 2 && one.startsWith(word));
  const remedy = near
    ? `did you mean "${near}"?`
    : 'svcctl --help lists the commands, and no file has that name';
  return usageError(`unknown command "${word}"; ${remedy}`);
}
