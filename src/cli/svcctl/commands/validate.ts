import type { Command } from 'commander';
import type { Io } from '../../io/io.ts';
import { variableOption, variablesFileOption } from '../../options/assignment.ts';
import type { ValidateOptions } from '../../validate/validate-command.ts';
import { choiceOption } from '../choice-option.ts';
import type { Finish } from '../command-line.ts';

const VERSIONS = ['2', '3', '4'] as const;

/** `svcctl validate` */
export function validateCommandLine(program: Command, io: Io, finish: Finish): void {
  const version = (flags: string, description: string) => choiceOption(flags, description, VERSIONS, Number);
  program
    .command('validate')
    .description('check a scenario without running it')
    .argument('<scenario>', 'file, URL of a raw scenario, or - for standard input')
    .addOption(version('--as <version>', 'check the rules of this version of the language too'))
    .addOption(version('--target-version <version>', 'the same as --as').hideHelp())
    .option('--strict', 'unknown names and scales of the rig are errors')
    .option('--for-rig', 'exit with 1 when this rig cannot run a valid scenario')
    .option('--no-dry-run', 'with --as 4: skip the dry-run')
    .option('--var <NAME=value>', 'value of a parameter, as for run; repeatable', variableOption)
    .option(
      '--vars <file>',
      'values of parameters from a YAML, JSON or CSV file; --var wins',
      variablesFileOption,
    )
    .option('--library <dir>', 'root of the macro libraries (else SVC_SCENARIO_DIR, ./scenarios)')
    .option('--json', 'print the report as one JSON document')
    .option('--pretty', 'indent the JSON')
    .action(async (scenario: string, options: ValidateOptions & { targetVersion?: 2 | 3 | 4 }) => {
      const { validateCommand } = await import('../../validate/validate-command.ts');
      const { targetVersion, ...rest } = options;
      const as = rest.as ?? targetVersion;
      finish(await validateCommand(scenario, { ...rest, ...(as === undefined ? {} : { as }) }, io));
    });
}
