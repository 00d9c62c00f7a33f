import type { Command } from 'commander';
import type { DetectOptions } from '../../doctor/detect-command.ts';
import { usageError } from '../../errors/cli-error.ts';
import type { Io } from '../../io/io.ts';
import type { Finish } from '../command-line.ts';

/** `svcctl detect` */
export function detectCommandLine(program: Command, io: Io, finish: Finish): void {
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
}

/** Options of the commands that probe. */
export const withProbeOptions = (command: Command): Command =>
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
