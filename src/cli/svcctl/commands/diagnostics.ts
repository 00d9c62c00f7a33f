import type { Command } from 'commander';
import type { AdapterOptions } from '../../doctor/adapters-command.ts';
import type { DetectOptions } from '../../doctor/detect-command.ts';
import type { DoctorOptions } from '../../doctor/doctor-command.ts';
import { usageError } from '../../errors/cli-error.ts';
import type { Io } from '../../io/io.ts';
import { choiceOption } from '../choice-option.ts';
import type { Finish } from '../command-line.ts';

/** `svcctl detect`, `doctor`, `identify`, `status` and `devices` */
export function diagnosticsCommandLines(program: Command, io: Io, finish: Finish): void {
  withProbeOptions(program.command('doctor'))
    .description('find the faults of this rig and their remedies')
    .option('--fix', 'write port, bit rate and parity at which the valve board answers into svc.yaml')
    .option('-y, --yes', 'with --fix: do not ask')
    .option('--strict', 'warnings exit with 1 too')
    .addHelpText(
      'after',
      `
Without --fix nothing is changed. --fix shows its plan first, keeps the file from before as svc.yaml.bak, looks again,
and takes back what did not help. It never changes the hardware mode.

Exit codes: 0 no open error; 1 errors; 2 wrong usage; 3 a repair failed, or no diagnosis was possible; 130 interrupted.`,
    )
    .action(async (options: DoctorOptions) => {
      const { doctorCommand } = await import('../../doctor/doctor-command.ts');
      finish(await doctorCommand(options, io));
    });
  withProbeOptions(program.command('detect'))
    .description('show what this machine, its Modbus line and its bridge report')
    .addHelpText(
      'after',
      `
Reads only: no output is switched, and a port that another program has open is left alone.

Exit codes: 0 done, also where a part could not be collected; 2 wrong usage; 3 not possible; 130 interrupted.`,
    )
    .action(async (options: DetectOptions) => {
      const { detectCommand } = await import('../../doctor/detect-command.ts');
      finish(await detectCommand(options, io));
    });
  withBridgeOptions(program.command('identify'))
    .description('show the adapters as the bridge sees them')
    .addOption(
      choiceOption(
        '--scan <when>',
        'auto: ask adapters whose health is not ok; always; never (auto)',
        ['auto', 'always', 'never'],
        (word) => word,
      ),
    )
    .action(async (options: AdapterOptions) => {
      const { identifyCommand } = await import('../../doctor/adapters-command.ts');
      finish(await identifyCommand(options, io));
    });
  withBridgeOptions(program.command('status'))
    .description('show the mode of the bridge and the health of its devices')
    .action(async (options: AdapterOptions) => {
      const { statusCommand } = await import('../../doctor/adapters-command.ts');
      finish(await statusCommand(options, io));
    });
  withBridgeOptions(program.command('devices'))
    .description('show one line for each device: state, last answer, port, firmware, calibrations')
    .action(async (options: AdapterOptions) => {
      const { devicesCommand } = await import('../../doctor/adapters-command.ts');
      finish(await devicesCommand(options, io));
    });
}

const withBridgeOptions = (command: Command): Command =>
  command
    .option('--firmware-url <url>', 'bridge (else SVC_FIRMWARE_URL, FIRMWARE_URL, http://127.0.0.1:8202)')
    .option('--json', 'print one JSON document and nothing else')
    .addHelpText(
      'after',
      `
Exit codes: 0 every device is ok; 1 one is not; 2 wrong usage; 3 the bridge does not answer.`,
    );

const withProbeOptions = (command: Command): Command =>
  command
    .option('--no-probe', 'send nothing on a serial line')
    .option('--probe-budget <seconds>', 'time for the sweep of each silent port, 1 to 120 (15)', probeBudget)
    .option('--firmware-url <url>', 'bridge (else SVC_FIRMWARE_URL, FIRMWARE_URL, http://127.0.0.1:8202)')
    .option('--json', 'print one JSON document and nothing else');

/** @returns milliseconds */
function probeBudget(text: string): number {
  const seconds = Number(text);
  if (text.trim() !== '' && seconds >= 1 && seconds <= 120) return seconds * 1000;
  throw usageError(`--probe-budget "${text}" is not 1 to 120 s: write for example --probe-budget 30`);
}
