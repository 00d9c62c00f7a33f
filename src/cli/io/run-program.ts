import { Command, CommanderError } from 'commander';
import { CodedError, messageOf } from '../../lib/errors/coded-error.ts';
import { version } from '../../lib/version.ts';
import { CliError } from '../errors/cli-error.ts';
import { EXIT } from '../errors/exit-code.ts';
import { usageSentence } from '../svcctl/usage-sentence.ts';
import type { Io } from './io.ts';
import { type StopSignals, stopSignals } from './stop-signals.ts';

/** A program that is one command. */
export interface ProgramDefinition<Options> {
  readonly name: string;
  /** Adds description and options. */
  define(program: Command): void;
  /** @returns the exit code. @throws CliError; any other error exits with 2 */
  run(options: Options, io: Io, stop: StopSignals): Promise<number>;
  /** True when stdout takes a report in JSON: an error is then reported there too. */
  printsReport(options: Options): boolean;
  /** Wrong usage is reported there as well. */
  readonly reportsUsage?: boolean;
}

/** Runs a program. Never rejects: a fault is one sentence on stderr, and a report where one was expected. @returns the exit code */
export async function runProgram<Options extends object>(
  { name, define, run, printsReport, reportsUsage = false }: ProgramDefinition<Options>,
  args: readonly string[],
  io: Io,
): Promise<number> {
  let exitCode: number = EXIT.ok;
  const stop = stopSignals((text) => io.stderr.write(`${name}: ${text}\n`));
  const program = new Command(name);
  define(program);
  program
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .allowExcessArguments(false)
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: () => {},
      getOutHelpWidth: () => io.stdout.columns ?? 100,
    })
    .exitOverride((error) => {
      throw error.exitCode === 0 ? error : usageSentence(error, program);
    })
    .action(async () => {
      exitCode = await run(program.opts<Options>(), io, stop);
    });
  try {
    await program.parseAsync([...args], { from: 'user' });
    return exitCode;
  } catch (thrown) {
    if (thrown instanceof CommanderError && thrown.exitCode === 0) return EXIT.ok;
    const known = thrown instanceof CodedError;
    const error = known ? messageOf(thrown) : `internal error: ${messageOf(thrown)}`;
    const code = known ? thrown.code : 'internal_error';
    io.stderr.write(`${name}: ${error}\n`);
    if ((reportsUsage || code !== 'usage') && printsReport(program.opts<Options>()))
      io.stdout.write(`${JSON.stringify({ ok: false, error, code })}\n`);
    return thrown instanceof CliError ? thrown.exitCode : EXIT.usage;
  } finally {
    stop.release();
  }
}
