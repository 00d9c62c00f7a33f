import type { Command } from 'commander';
import type { Io } from '../../io/io.ts';
import type { StopOptions } from '../../stop/stop-command.ts';
import type { Finish } from '../command-line.ts';

/** `svcctl stop` */
export function stopCommandLine(program: Command, io: Io, finish: Finish): void {
  program
    .command('stop')
    .description(
      'make the rig safe now and keep it so: lung halt, pump 0, lung de-energize, valves off, read-back',
    )
    .option(
      '--clear [id]',
      'clear the stop (with its id: none that came after it): actuators may be switched on again',
    )
    .option('--firmware-url <url>', 'bridge (else SVC_FIRMWARE_URL, FIRMWARE_URL, http://127.0.0.1:8202)')
    .option('--json', 'print JSON and nothing else')
    .addHelpText(
      'after',
      `
On this machine it needs no run, no lease and no token. When the bridge is gone or hangs, svc-guard does it; when no guard
runs, one is started for it. The stop stays, also after a restart: no run gets the rig and nothing is switched on until
svcctl stop --clear.

Exit codes: 0 the rig is safe and stays so, or the stop is cleared; 3 it is not: what to do by hand is printed.`,
    )
    .action(async (options: StopOptions) => {
      const { stopCommand } = await import('../../stop/stop-command.ts');
      finish(await stopCommand(options, io));
    });
}
