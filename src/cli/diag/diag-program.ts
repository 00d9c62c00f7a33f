import type { Command } from 'commander';
import { usageError } from '../errors/cli-error.ts';
import { EXIT } from '../errors/exit-code.ts';
import type { Io } from '../io/io.ts';
import { Questions } from '../io/questions.ts';
import type { ProgramDefinition } from '../io/run-program.ts';
import type { StopSignals } from '../io/stop-signals.ts';
import { wrapped } from '../io/wrapped.ts';
import { checkCommand } from './check-command.ts';
import type { DiagContext, Outcome } from './diag-context.ts';
import { benchmarkCommand, diagnoseCommand, healthCommand, listCommand } from './read-commands.ts';
import { reportCommand } from './report-command.ts';
import { shell } from './shell.ts';
import { DEFAULT_BENCHMARK_S, detectOutcome, doctorOutcome, secondsOf } from './shell-commands.ts';

interface DiagOptions {
  list?: true;
  detect?: true;
  doctor?: true;
  health?: true;
  diagnose?: true;
  calibrate?: true;
  benchmark?: string | true;
  report?: string | true;
  shell?: true;
  json?: true;
  yes?: true;
  force?: true;
  strict?: true;
  plain?: true;
  firmwareUrl?: string;
}

/** `svc-diag`. @param args as given: `--json` counts also when others are wrong */
export function diagProgram(args: readonly string[]): ProgramDefinition<DiagOptions> {
  let help = '';
  return {
    name: 'svc-diag',
    define: (program) => {
      define(program);
      help = program.helpInformation();
    },
    run: (options, io, stop) => diag(options, io, stop, help),
    printsReport: () => args.includes('--json'),
    reportsUsage: true,
  };
}

const HELP = `
Without an option, at a terminal: the shell. Only --calibrate switches anything: it shows its plan and asks first (--yes in a
script), holds the lease and always ends in the safe state.

Exit codes: 0 done; 1 an error was found, or a test failed; 2 wrong usage; 3 no bridge, or not saved; 4 consent is missing;
130 interrupted.`;

function define(program: Command): void {
  program
    .description('Lists devices, finds faults, checks functions, measures the bridge and writes reports.')
    .option('--list', 'USB devices, serial ports, I2C chips')
    .option('--detect', 'what machine, Modbus line and bridge report')
    .option('--doctor', 'find faults and their remedies')
    .option('--health', 'mode and health of the devices')
    .option('--diagnose', 'list, health and adapters together')
    .option('--calibrate', 'function check of pump, valves and sensors; svcctl calibrate <sensor> calibrates')
    .option(
      '--benchmark [seconds]',
      `requests to the bridge, one after another, 1 to 600 s (${DEFAULT_BENCHMARK_S})`,
    )
    .option('--report [file]', 'write a report; with --calibrate it has the result of this check')
    .option('--shell', 'interactive shell; commands of a script on standard input')
    .option('--json', 'print one JSON document and nothing else')
    .option('-y, --yes', 'switch pump and valves without asking')
    .option('--force', 'overwrite an existing report')
    .option('--strict', 'a script ends with the exit code of its first command that fails')
    .option('--plain', 'no completion and no redrawn lines, for screen readers')
    .option('--firmware-url <url>', 'bridge (else SVC_FIRMWARE_URL, FIRMWARE_URL, http://127.0.0.1:8202)')
    .addHelpText('after', HELP);
}

const ACTIONS = [
  'list',
  'detect',
  'doctor',
  'health',
  'diagnose',
  'calibrate',
  'benchmark',
  'report',
  'shell',
] as const;

async function diag(options: DiagOptions, io: Io, stop: StopSignals, help: string): Promise<number> {
  const given = ACTIONS.filter((name) => options[name] !== undefined);
  const isReportOfCheck = given.length === 2 && given.includes('calibrate') && given.includes('report');
  if (given.length > 1 && !isReportOfCheck)
    throw usageError(
      `${given.map((name) => `--${name}`).join(' and ')} exclude each other; only --calibrate and --report go together`,
    );
  const [action] = given;
  if (action === undefined && !io.stdin.isTTY) {
    io.stderr.write(`${help}${HELP}\n`);
    throw usageError(
      'there is no terminal for the shell: give one option, or --shell to read commands from standard input',
    );
  }
  if (action === undefined || action === 'shell') {
    stop.release();
    return shell(options, io);
  }
  const questions = io.stdin.isTTY && !options.json ? new Questions(io, stop.soon) : undefined;
  try {
    const context: DiagContext = {
      io,
      json: options.json === true,
      signal: stop.soon,
      ...(options.firmwareUrl ? { firmwareUrl: options.firmwareUrl } : {}),
      ...(options.yes ? { yes: options.yes } : {}),
      ...(options.force ? { force: options.force } : {}),
      ...(questions ? { ask: (question: string) => questions.ask(question) } : {}),
    };
    const outcome = await outcomeOf(options, context, isReportOfCheck);
    const text = options.json
      ? JSON.stringify(outcome.document)
      : outcome.lines.flatMap((line) => wrapped(line, io.stdout, 2)).join('\n');
    io.stdout.write(`${text}\n`);
    return stop.soon.aborted ? EXIT.aborted : outcome.exitCode;
  } finally {
    questions?.close();
  }
}

async function outcomeOf(
  options: DiagOptions,
  context: DiagContext,
  isReportOfCheck: boolean,
): Promise<Outcome> {
  const file = typeof options.report === 'string' ? options.report : undefined;
  if (isReportOfCheck) {
    const check = await checkCommand(context);
    const report = await reportCommand(context, file, { ran: true, ...check.document, age_s: 0 });
    return { ...report, lines: [...check.lines, ...report.lines], exitCode: check.exitCode };
  }
  if (options.list) return listCommand(context);
  if (options.detect) return detectOutcome(context);
  if (options.doctor) return doctorOutcome(context);
  if (options.health) return healthCommand(context);
  if (options.diagnose) return diagnoseCommand(context);
  if (options.calibrate) return checkCommand(context);
  if (options.benchmark !== undefined)
    return benchmarkCommand(
      context,
      options.benchmark === true ? DEFAULT_BENCHMARK_S : secondsOf(options.benchmark),
    );
  return reportCommand(context, file, undefined);
}
