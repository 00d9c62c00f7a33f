import type { Command } from 'commander';
import type { FormatOptions } from '../../format/format-command.ts';
import type { Io } from '../../io/io.ts';
import type { Finish } from '../command-line.ts';

/** `svcctl format` */
export function formatCommandLine(program: Command, io: Io, finish: Finish): void {
  program
    .command('format')
    .description('print a scenario in canonical form')
    .argument('<scenario...>', 'files; - for standard input')
    .option('-w, --write', 'write the result back to the file')
    .option('--check', 'write nothing; exit with 1 if a file is not in canonical form')
    .option('--library <dir>', 'root of the macro libraries (else SVC_SCENARIO_DIR, ./scenarios)')
    .action(async (scenarios: string[], options: FormatOptions) => {
      const { formatCommand } = await import('../../format/format-command.ts');
      finish(await formatCommand(scenarios, options, io));
    });
}
