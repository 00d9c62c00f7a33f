import type { Command } from 'commander';
import type { AdcConfirmOptions } from '../../adc-confirm/adc-confirm-command.ts';
import type { Io } from '../../io/io.ts';
import type { Finish } from '../command-line.ts';

/** `svcctl adc-confirm` */
export function adcConfirmCommandLine(program: Command, io: Io, finish: Finish): void {
  program
    .command('adc-confirm')
    .description(
      'confirm the pressure calibration after a source of the voltages or the USB chip has changed',
    )
    .option('-y, --yes', 'do not ask for confirmation')
    .option('--state-dir <dir>', "folder of the services' state (else SVC_STATE_DIR, rig.env, /var/lib/svc)")
    .option('--json', 'print JSON and nothing else on standard output')
    .addHelpText(
      'after',
      `
Exit codes: 0 confirmed, or nothing to confirm; 1 not confirmed; 2 wrong usage; 3 not possible.`,
    )
    .action(async (options: AdcConfirmOptions) => {
      const { adcConfirmCommand } = await import('../../adc-confirm/adc-confirm-command.ts');
      finish(await adcConfirmCommand(options, io));
    });
}
