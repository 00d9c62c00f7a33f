import { Argument, type Command } from 'commander';
import { suggest } from '../../../scenario/diagnostics/suggest.ts';
import type { BenchCommand, BenchOptions } from '../../bench/bench-command.ts';
import { usageError } from '../../errors/cli-error.ts';
import type { Io } from '../../io/io.ts';
import type { Finish } from '../command-line.ts';
import { usageSentence } from '../usage-sentence.ts';

const ACTIONS = ['devices', 'knobs', 'fault', 'trace', 'reset', 'step'] as const;

const EXAMPLES = `
Examples:
  svcctl bench knobs plant leak=0.01              a mask that leaks
  svcctl bench knobs modbus-io 'coil_stuck=[0]'   a valve that does not move
  svcctl bench fault pump bad_crc --count 3       three answers with a wrong bit
  svcctl bench trace modbus-io --follow           what the valve module sees and says
  svcctl bench reset                              all well again

Values are JSON (null, true, 0.5, [0,1]) or a plain word. docs/bench.md explains every knob and fault.
Exit codes: 0 done, 2 wrong usage or a knob that is refused, 3 no bench answers.`;

/** `svcctl bench <action>`: knobs, faults and traces of a running svc-bench. */
export function benchCommandLine(program: Command, io: Io, finish: Finish): void {
  const bench = program
    .command('bench')
    .description('change twin settings, inject faults, show the wire trace')
    .usage('<action> [options]')
    .addArgument(
      new Argument('[action]', 'what to do').choices(ACTIONS).argParser((word: string) => {
        const near = suggest(word, ACTIONS);
        throw usageError(
          `bench "${word}" is unknown: ${near ? `did you mean ${near}?` : `use ${ACTIONS.join(', ')}`}`,
        );
      }),
    )
    .action(() => {
      throw usageError(`bench needs an action: ${ACTIONS.join(', ')}; svcctl bench --help explains them`);
    });
  const action = (nameAndArguments: string, description: string): Command =>
    bench
      .command(nameAndArguments)
      .description(description)
      .option('--bench-url <url>', 'control port (else SVC_BENCH_URL, http://127.0.0.1:8290)')
      .option('--json', 'print JSON and nothing else');
  /** What an action does is loaded when it is called. */
  const does =
    (command: BenchCommand) =>
    async (...given: unknown[]) => {
      const { runBenchCommand } = await import('../../bench/bench-command.ts');
      // Commander puts options and command behind the arguments.
      finish(await runBenchCommand(command, given.slice(0, -2), given.at(-2) as BenchOptions, io));
    };

  action('devices', 'list the devices, their addresses and their clients').action(does('devices'));
  action('knobs', 'show or change the settings of a device')
    .argument('<device>', 'for example modbus-io, or plant')
    .argument('[name=value...]', 'settings to change; without any, all are shown')
    .action(does('knobs'));
  action('fault', 'inject a fault into the next answers of a device')
    .argument('<device>', 'for example modbus-io')
    .argument('<kind[=value]...>', 'fault of one answer; several are combined')
    .option('--count <n>', 'number of answers', wholeNumber('--count', 1, 10_000), 1)
    .action(does('fault'));
  action('trace', 'show the wire trace of the twins')
    .argument('[device]', 'this device only')
    .option('-f, --follow', 'follow the trace until Ctrl-C')
    .option(
      '--since <n>',
      'only what came after this number',
      wholeNumber('--since', 0, Number.MAX_SAFE_INTEGER),
    )
    .action(does('trace'));
  action('reset', 'switch outputs off; reset settings, faults and plant').action(does('reset'));
  action('step', 'advance the clock of twins and plant')
    .argument('<ms>', 'milliseconds', wholeNumber('step', 0, 86_400_000))
    .action(does('step'));

  bench.addHelpText('after', EXAMPLES);
  for (const command of bench.commands)
    command
      .helpOption('-h, --help', 'print this help')
      .configureOutput({
        writeOut: (text) => io.stdout.write(text),
        writeErr: () => {},
        getOutHelpWidth: () => io.stdout.columns ?? 100,
      })
      .exitOverride((error) => {
        throw error.exitCode === 0 ? error : usageSentence(error, command);
      });
}

function wholeNumber(what: string, low: number, high: number): (text: string) => number {
  return (text) => {
    const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (value >= low && value <= high) return value;
    throw usageError(
      `${what} "${text}" is not a whole number from ${low} to ${high}: write for example ${low + 1}`,
    );
  };
}
