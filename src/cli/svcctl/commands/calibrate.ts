import type { Command } from 'commander';
import type { CalibrateOptions } from '../../calibrate/options.ts';
import type { Io } from '../../io/io.ts';
import { durationOption } from '../../options/duration.ts';
import type { Finish } from '../command-line.ts';

const HELP = `
Compares a sensor with a reference standard: preload, points up and down, two check points that the fit does not use. Each point
waits until the voltage is settled. What is missing is asked for at a terminal. Every calibration is kept in
SVC_STATE_DIR/calibrations, with a report. This is not the function check of svc-diag --calibrate.

  svcctl calibrate ai01 --range 0..100 --standard DPI-104 --certificate 2026-117 \\
    --standard-due 2027-03-01 --standard-uncertainty 0.05 --by 'Anna Nowak' --due 2027-05-01
  svcctl calibrate ai01 --range 0..100 --bench-reference --pump --valve valve-1 --by me --due 2099-01-01 --yes

Exit codes: 0 in use, or measured; 1 refused: unstable, saturated or out of limits; 2 wrong usage; 3 no bridge, or not saved;
4 not confirmed; 130 interrupted. svc.yaml is unchanged in all but the first.`;

/** `svcctl calibrate <sensor>` */
export function calibrateCommandLine(program: Command, io: Io, finish: Finish): void {
  program
    .command('calibrate')
    .description('calibrate a sensor against a reference standard')
    .argument('<sensor>', 'voltage input, for example ai01')
    .option('--unit <unit>', 'unit of the standard (default: that of the calibration in use)')
    .option('--range <range>', 'range in that unit, for example 0..100')
    .option('--points <list>', 'percentages of the range (default 0,25,50,75,100)')
    .option('--limit <error>', 'largest permissible error in the unit (default 1 % of the range)')
    .option('--standard <id>', 'identity of the reference standard')
    .option('--certificate <number>', 'its certificate')
    .option('--standard-due <day>', 'its due date, YYYY-MM-DD')
    .option('--standard-uncertainty <value>', 'its expanded uncertainty (k = 2) in the unit')
    .option('--temperature <celsius>', 'ambient temperature (default 20)')
    .option('--medium <name>', 'medium (default air)')
    .option('--height <metres>', 'height of the sensor above the standard (default 0)')
    .option('--by <name>', 'person who calibrates')
    .option('--due <day>', 'due date of the new calibration, YYYY-MM-DD')
    .option('--id <id>', 'its id (default: sensor and day)')
    .option('--pump', 'set the pressures by the pump of the rig: 0 to 100 % over the range')
    .option('--valve <id>', 'with --pump: the valve that is opened')
    .option('--bench-reference', 'on a bench: the pressure of the plant is the standard')
    .option('--bench-url <url>', 'control port of the bench (else SVC_BENCH_URL, http://127.0.0.1:8290)')
    .option('--samples <count>', 'readings of each point (default 20)')
    .option(
      '--settle-timeout <duration>',
      'longest time for a point to settle (default 60s)',
      durationOption('--settle-timeout'),
    )
    .option('--measure-only', 'measure and report, change nothing')
    .option('--yes', 'switch actuators and put the result into use without asking')
    .option('--firmware-url <url>', 'bridge (else SVC_FIRMWARE_URL, FIRMWARE_URL, http://127.0.0.1:8202)')
    .option('--json', 'print JSON and nothing else')
    .addHelpText('after', HELP)
    .action(async (sensor: string, options: CalibrateOptions) => {
      const { calibrateCommand } = await import('../../calibrate/calibrate-command.ts');
      finish(await calibrateCommand(sensor, options, io));
    });
}
