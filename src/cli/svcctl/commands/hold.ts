import type { Command } from 'commander';
import type { HoldOptions } from '../../hold/hold-command.ts';
import type { Io } from '../../io/io.ts';
import type { Finish } from '../command-line.ts';

/** `svcctl hold` */
export function holdCommandLine(program: Command, io: Io, finish: Finish): void {
  program
    .command('hold')
    .description('show or extend the manual hold (actuators switched on without a lease)')
    .option('--renew', 'restart the full hold time')
    .option('--keep', 'renew it until Ctrl-C')
    .option('--firmware-url <url>', 'bridge (else SVC_FIRMWARE_URL, FIRMWARE_URL, http://127.0.0.1:8202)')
    .option('--json', 'print JSON and nothing else')
    .addHelpText(
      'after',
      `
Exit codes: 0 shown or renewed; 1 there is nothing to renew; 2 wrong usage; 3 refused, ended, or no bridge answers.`,
    )
    .action(async (options: HoldOptions) => {
      const { holdCommand } = await import('../../hold/hold-command.ts');
      finish(await holdCommand(options, io));
    });
}
