import { collect, detectionLines } from '../doctor/detect-command.ts';
import { diagnosed } from '../doctor/doctor-command.ts';
import { doctorLines } from '../doctor/doctor-text.ts';
import { usageError } from '../errors/cli-error.ts';
import { EXIT } from '../errors/exit-code.ts';
import { checkCommand } from './check-command.ts';
import type { DiagContext, Outcome } from './diag-context.ts';
import {
  benchmarkCommand,
  diagnoseCommand,
  healthCommand,
  identifyJson,
  listCommand,
} from './read-commands.ts';
import { reportCommand } from './report-command.ts';

export interface ShellCommand {
  /** What it takes, and one line of help. */
  usage: string;
  help: string;
  run: (context: DiagContext, args: readonly string[]) => Promise<Outcome>;
}

export const DEFAULT_BENCHMARK_S = 10;

/** @throws CliError for what is not 1..600 */
export function secondsOf(text: string): number {
  const seconds = Number(text);
  if (text.trim() !== '' && seconds >= 1 && seconds <= 600) return seconds;
  throw usageError(`benchmark "${text}" is not 1 to 600 s: write for example benchmark 10`);
}

/** @throws CliError for arguments of a command that takes none */
const alone =
  (name: string, run: (context: DiagContext) => Promise<Outcome>): ShellCommand['run'] =>
  (context, args) => {
    if (args.length > 0) throw usageError(`${name} takes nothing behind it, and got "${args.join(' ')}"`);
    return run(context);
  };

const bridge = ({ firmwareUrl }: DiagContext) => (firmwareUrl ? { firmwareUrl } : {});

export async function doctorOutcome(context: DiagContext): Promise<Outcome> {
  const report = await diagnosed(bridge(context), context.io, context.signal);
  const exitCode = report.summary.errors > 0 ? EXIT.failed : EXIT.ok;
  return { document: report, lines: doctorLines(report, context.io), exitCode };
}

export async function detectOutcome(context: DiagContext): Promise<Outcome> {
  const { detection } = await collect(bridge(context), context.io, context.signal);
  return { document: detection, lines: detectionLines(detection, context.io), exitCode: EXIT.ok };
}

const help: ShellCommand['run'] = async () => {
  const rows = [
    ...Object.values(SHELL_COMMANDS).map((one) => [one.usage, one.help]),
    ['json', 'switch JSON output on or off'],
    ['exit, quit', 'end; so does Ctrl-D'],
  ];
  return {
    document: { commands: rows.map(([usage]) => usage) },
    lines: rows.map(([usage = '', text = '']) => `${usage.padEnd(16)} ${text}`),
    exitCode: EXIT.ok,
  };
};

export const SHELL_COMMANDS: Readonly<Record<string, ShellCommand>> = {
  list: { usage: 'list', help: 'USB devices, serial ports, I2C chips', run: alone('list', listCommand) },
  detect: {
    usage: 'detect',
    help: 'what machine, Modbus line and bridge report',
    run: alone('detect', detectOutcome),
  },
  doctor: { usage: 'doctor', help: 'find faults and their remedies', run: alone('doctor', doctorOutcome) },
  health: { usage: 'health', help: 'mode and health of the devices', run: alone('health', healthCommand) },
  identify: {
    usage: 'identify',
    help: 'adapters as the bridge sees them, JSON',
    run: alone('identify', identifyJson),
  },
  diagnose: {
    usage: 'diagnose',
    help: 'list, health and adapters together',
    run: alone('diagnose', diagnoseCommand),
  },
  calibrate: {
    usage: 'calibrate',
    help: 'function check of pump, valves and sensors; it calibrates nothing',
    run: alone('calibrate', checkCommand),
  },
  benchmark: {
    usage: 'benchmark [sec]',
    help: `requests to the bridge for 1 to 600 s (${DEFAULT_BENCHMARK_S})`,
    run: (context, [seconds = String(DEFAULT_BENCHMARK_S)]) => benchmarkCommand(context, secondsOf(seconds)),
  },
  save: {
    usage: 'save [file]',
    help: 'write a report',
    run: (context, [file]) => reportCommand(context, file, undefined),
  },
  help: { usage: 'help', help: 'this list', run: help },
};
