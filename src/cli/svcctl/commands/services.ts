import type { Command } from 'commander';
import type { Io } from '../../io/io.ts';
import type { ServicesOptions } from '../../services/services-command.ts';
import type { Finish } from '../command-line.ts';

/** `svcctl services` */
export function servicesCommandLine(program: Command, io: Io, finish: Finish): void {
  program
    .command('services')
    .description('show state, memory, restarts, port and health of every service')
    .option(
      '--adopt',
      'end services without a supervisor, each leaving its device safe; start what is missing',
    )
    .option('--json', 'print JSON and nothing else')
    .addHelpText(
      'after',
      `
Exit codes: 0 all is well; 1 a service is down, not well or without a supervisor; 3 PM2 does not run.`,
    )
    .action(async (options: ServicesOptions) => {
      const { servicesCommand } = await import('../../services/services-command.ts');
      finish(await servicesCommand(options, io));
    });
}
