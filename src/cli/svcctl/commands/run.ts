import type { Command } from 'commander';
import type { Io } from '../../io/io.ts';
import type { RunOptions } from '../../run/run-settings.ts';
import type { Finish } from '../command-line.ts';
import { addRunOptions } from './run-options.ts';

/** `svcctl [run] <scenario>` */
export function runCommandLine(program: Command, io: Io, finish: Finish): void {
  const command = program
    .command('run')
    .description('run a scenario: simulated (dry-run) unless --mode says otherwise')
    .argument('<scenario>', 'file, URL of a raw scenario, or - for standard input');
  addRunOptions(command, 'dry-run')
    .option('--stop-on-fail', 'skip the goals after the first failed one')
    .option('--plan', 'show the order of blocks and commands, run nothing')
    .action(async (scenario: string, options: RunOptions & { plan?: boolean }) => {
      const { runCommand } = await import('../../run/run-command.ts');
      finish(await runCommand(scenario, options, io));
    });
}
