import type { Command } from 'commander';
import { usageError } from '../../errors/cli-error.ts';
import type { Io } from '../../io/io.ts';
import { labelOption } from '../../options/tested-unit.ts';
import type { RunOptions } from '../../run/run-settings.ts';
import type { Finish } from '../command-line.ts';
import { addRunOptions } from './run-options.ts';

interface ServerOptions {
  readonly server?: boolean;
  readonly detach?: boolean;
}

/** `svcctl [run] <scenario...>` */
export function runCommandLine(program: Command, io: Io, finish: Finish): void {
  const command = program
    .command('run')
    .description('run scenarios or a suite: simulated (dry-run) unless --mode is given')
    .argument('<scenario...>', 'files, URLs of raw scenarios, - for standard input, or one suite.yaml');
  const label = (name: string, description: string, alias = '') =>
    command.option(`${alias}--${name} <text>`, description, labelOption(`--${name}`));
  addRunOptions(command, 'dry-run')
    .option('--stop-on-fail', 'skip the remaining goals and scenarios after the first failure')
    .option(
      '--goal <name>',
      'run only this goal, with the CONFIG blocks; repeatable',
      repeatedOption('--goal'),
    )
    .option('--tag <name>', 'run only scenarios with this tag (TAGS:); repeatable', repeatedOption('--tag'))
    .option('--record <dir>', 'keep a record of each run and a summary of the suite in this folder')
    .option(
      '--server',
      'have svc-server run it: it survives this terminal, and its record is with the others',
    )
    .option('--detach', 'with --server: do not wait for the end')
    .option('--plan', 'show the order of blocks and commands, run nothing');
  label('unit', 'serial number of the unit under test', '--serial, ');
  label('part', 'part number of the unit');
  label('revision', 'revision of the part');
  label('batch', 'batch of the unit');
  label('operator', 'name of the operator');
  command
    .addHelpText('after', SUITE_HELP)
    .action(async (scenarios: string[], options: RunOptions & { plan?: boolean } & ServerOptions) => {
      const [name = '', ...others] = scenarios;
      if (options.server) {
        if (others.length > 0) throw usageError('--server runs one scenario: name one');
        const { runOnServer } = await import('../../server-run/run-on-server.ts');
        finish(await runOnServer(name, options, io));
        return;
      }
      if (options.detach) throw usageError('--detach is for a run of svc-server: add --server');
      const { runCommand } = await import('../../run/run-command.ts');
      finish(await runCommand(scenarios, options, io));
    });
}

const SUITE_HELP = `
With several scenarios, or a suite:
  all are read, checked and (execute) preflighted before the first one moves anything; then one runs after the other
  --junit and --csv name one file for all; --report, --events and --export-file name a folder

suite.yaml:
  name: Mask acceptance
  stop_on_fail: true                     # skip the scenarios after the first that did not pass
  scenarios:                             # paths are relative to this file
    - scenario: valve-smoke.oql
    - scenario: mask-leak.oql
      name: Leak at 10 mbar              # needed when a scenario stands here twice
      variables: {LIMIT: 0.25 mbar}      # as --var`;

/** Collects the values of an option that may be given again. @throws CliError for an empty value */
const repeatedOption =
  (option: string) =>
  (text: string, previous: readonly string[] = []): readonly string[] => {
    if (text.trim() === '') throw usageError(`${option} "${text}" has no name: write ${option} NAME`);
    return [...previous, text];
  };
