import type { Command } from 'commander';
import type { Io } from '../../io/io.ts';
import type { ValidateDirOptions } from '../../validate/validate-dir-command.ts';
import type { Finish } from '../command-line.ts';

/** `svcctl validate-dir` */
export function validateDirCommandLine(program: Command, io: Io, finish: Finish): void {
  program
    .command('validate-dir')
    .description('check every .oql and .cql file of a directory tree')
    .argument('<dir>', 'root of the tree')
    .option('--strict', 'unknown names and scales of the rig are errors')
    .option('--details', 'show each finding on stderr')
    .option('--library <dir>', 'root of the macro libraries (else SVC_SCENARIO_DIR, the tree itself)')
    .option('--json', 'print the result as one JSON document')
    .action(async (dir: string, options: ValidateDirOptions) => {
      const { validateDirCommand } = await import('../../validate/validate-dir-command.ts');
      finish(await validateDirCommand(dir, options, io));
    });
}
