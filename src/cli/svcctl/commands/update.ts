import type { Command } from 'commander';
import type { Io } from '../../io/io.ts';
import type { UpdateOptions } from '../../update/update-command.ts';
import type { Finish } from '../command-line.ts';

/** `svcctl update` */
export function updateCommandLine(program: Command, io: Io, finish: Finish): void {
  program
    .command('update [file]')
    .description(
      'install another version of the appliance: it is started on trial, and kept when the rig is healthy',
    )
    .option('--allow-downgrade', 'also an older version than the one that runs')
    .option('--no-restart', 'write it, and leave the restart to you')
    .option('--start', 'start what was written before, and was not started because the rig was in use')
    .option('--status', 'what runs, and what became of the last update')
    .option(
      '--confirm',
      'keep the version on trial once all services were healthy for 60 s; its unit calls this',
    )
    .addHelpText(
      'after',
      `
Only on a rig that was started from a card (docs/update.md), as root. Everything is checked before the first byte is written:
signature, target, version, size, space, and that nobody has the lease.

Exit codes: 0 done; 2 wrong usage; 3 it failed, the running version stays; 4 refused: nothing was written, or what was
written is not started while the rig is in use.`,
    )
    .action(async (file: string | undefined, options: UpdateOptions) => {
      const { updateCommand } = await import('../../update/update-command.ts');
      finish(await updateCommand(file, options, io));
    });
}
