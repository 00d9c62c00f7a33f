import type { Command } from 'commander';
import type { Io } from '../../io/io.ts';
import { durationOption } from '../../options/duration.ts';
import type { CmdOptions } from '../../run/cmd-command.ts';
import type { Finish } from '../command-line.ts';
import { addRunOptions } from './run-options.ts';

/** `svcctl cmd '<line>'` */
export function cmdCommandLine(program: Command, io: Io, finish: Finish): void {
  const command = program
    .command('cmd')
    .description('run one line of the scenario language on the rig; the rig is made safe afterwards')
    .argument('<line>', "one command, quoted, for example 'SET valve-1 1'");
  addRunOptions(command, 'execute')
    .option('--for <duration>', 'hold the state for this time before the safe state', durationOption('--for'))
    .option('--continuous', 'hold the state until Ctrl-C')
    .action(async (line: string, options: CmdOptions) => {
      const { cmdCommand } = await import('../../run/cmd-command.ts');
      finish(await cmdCommand(line, options, io));
    });
}
