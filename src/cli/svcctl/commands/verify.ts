import type { Command } from 'commander';
import type { Io } from '../../io/io.ts';
import type { VerifyCommandOptions } from '../../verify/verify-command.ts';
import type { Finish } from '../command-line.ts';

/** `svcctl verify` */
export function verifyCommandLine(program: Command, io: Io, finish: Finish): void {
  program
    .command('verify')
    .description('check that records of runs are what the rig sealed')
    .argument('[record...]', 'run ids, or folders with a record')
    .option('--all', 'every record in SVC_STATE_DIR')
    .option(
      '--key <fingerprint>',
      'accept records that were sealed with this key; repeatable',
      (text: string, before: readonly string[] = []) => [...before, text],
    )
    .option('--json', 'print one JSON document for each record and nothing else')
    .addHelpText(
      'after',
      `
Checks the chain of events, the hash of every file and the signature. Records of SVC_STATE_DIR have to be sealed with
the key of this rig (rig-key.pem), an earlier one (accepted-keys) or one that --key names; where none of them is known,
nothing is compared. A folder elsewhere may be sealed with any key, which is shown; --key says which one it has to be.

Exit codes: 0 as sealed; 1 changed, or without a seal; 2 wrong usage, unreadable, or not ended.`,
    )
    .action(async (names: string[], options: VerifyCommandOptions) => {
      const { verifyCommand } = await import('../../verify/verify-command.ts');
      finish(await verifyCommand(names, options, io));
    });
}
