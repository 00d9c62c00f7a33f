import type { Command } from 'commander';
import type { Io } from '../../io/io.ts';
import type { ReportOptions } from '../../report/report-command.ts';
import { choiceOption } from '../choice-option.ts';
import type { Finish } from '../command-line.ts';

const FORMATS = ['html', 'pdf', 'junit', 'csv', 'json'] as const;

/** `svcctl report` */
export function reportCommandLine(program: Command, io: Io, finish: Finish): void {
  program
    .command('report')
    .description('make the report of a recorded run')
    .argument('<record>', 'run id, or folder with a record')
    .addOption(
      choiceOption('--format <format>', 'html, pdf, junit, csv or json', FORMATS, (word) => word).default(
        'html',
      ),
    )
    .option('--output <file>', 'write it there (else standard output; a PDF: RUN.pdf)')
    .addHelpText(
      'after',
      `
A PDF is printed by Chromium from the HTML report, which stays beside it.

Exit codes: 0 done; 2 wrong usage; 3 the record is damaged, its run has not ended, or no PDF could be made.`,
    )
    .action(async (name: string, options: ReportOptions) => {
      const { reportCommand } = await import('../../report/report-command.ts');
      finish(await reportCommand(name, options, io));
    });
}
