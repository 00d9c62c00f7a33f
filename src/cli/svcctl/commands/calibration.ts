import { Argument, type Command } from 'commander';
import { suggest } from '../../../scenario/diagnostics/suggest.ts';
import { usageError } from '../../errors/cli-error.ts';
import type { Io } from '../../io/io.ts';
import type { Finish } from '../command-line.ts';
import { usageSentence } from '../usage-sentence.ts';

const ACTIONS = ['list', 'confirm'] as const;

const HELP = `
A run on the rig uses a calibration only while it is valid: confirmed by a person, and not past its due date.

Exit codes: 0 all are valid, or confirmed; 1 one of the list is not valid; 2 wrong usage; 3 not possible.`;

/** `svcctl calibration [list | confirm <id> --by NAME]` */
export function calibrationCommandLine(program: Command, io: Io, finish: Finish): void {
  const list = async (options: { json?: true }) => {
    const { calibrationList } = await import('../../calibration/calibration-commands.ts');
    finish(calibrationList(options, io));
  };
  const calibration = program
    .command('calibration')
    .description('show the calibrations of the sensors, confirm one')
    .usage('[list | confirm <id> --by NAME] [options]')
    .addArgument(
      new Argument('[action]', 'none: list').choices(ACTIONS).argParser((word: string) => {
        const near = suggest(word, ACTIONS);
        throw usageError(
          `calibration "${word}" is unknown: ${near ? `did you mean ${near}?` : `use ${ACTIONS.join(' or ')}`}`,
        );
      }),
    )
    .option('--json', 'print JSON and nothing else')
    .addHelpText('after', HELP)
    .action((_action: undefined, options: { json?: true }) => list(options));
  calibration
    .command('list')
    .description('sensor, calibration, unit, due date, state')
    .option('--json', 'print JSON and nothing else')
    .action((_options: object, command: Command) => list(command.optsWithGlobals()));
  calibration
    .command('confirm')
    .description('confirm that a calibration is valid; edits svc.yaml in place')
    .argument('<id>', 'id of the calibration')
    .requiredOption('--by <name>', 'name of the person who confirms')
    .option('--json', 'print JSON and nothing else')
    .action(async (id: string, _options: object, command: Command) => {
      const { calibrationConfirm } = await import('../../calibration/calibration-commands.ts');
      finish(await calibrationConfirm(id, command.optsWithGlobals(), io));
    });
  for (const command of calibration.commands)
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
