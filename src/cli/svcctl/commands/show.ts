import type { Command } from 'commander';
import type { Io } from '../../io/io.ts';
import type { Finish } from '../command-line.ts';

/** `svcctl show` */
export function showCommandLine(program: Command, io: Io, finish: Finish): void {
  program
    .command('show')
    .description('show a recorded run: verdict, unit, measured values with limits')
    .argument('<record>', 'run id, or folder with a record')
    .option('--json', 'print all of it as one JSON document')
    .addHelpText(
      'after',
      `
Exit codes: 0 done; 2 wrong usage; 3 the record is damaged, or its run has not ended.`,
    )
    .action(async (name: string, options: { json?: boolean }) => {
      const { showCommand } = await import('../../show/show-command.ts');
      finish(await showCommand(name, options, io));
    });
}
