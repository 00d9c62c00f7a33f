import type { Command } from 'commander';
import type { ExplainOptions } from '../../explain/explain-command.ts';
import type { Io } from '../../io/io.ts';
import type { Finish } from '../command-line.ts';

/** `svcctl explain` */
export function explainCommandLine(program: Command, io: Io, finish: Finish): void {
  program
    .command('explain')
    .description('explain a finding such as SCN240 and its remedy')
    .argument('[code]', 'code or name of the finding; without it all are listed')
    .option('--json', 'print JSON and nothing else')
    .action(async (code: string | undefined, options: ExplainOptions) => {
      const { explainCommand } = await import('../../explain/explain-command.ts');
      finish(explainCommand(code, options, io));
    });
}
