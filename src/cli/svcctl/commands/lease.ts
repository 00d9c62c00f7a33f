import { Argument, type Command } from 'commander';
import { suggest } from '../../../scenario/diagnostics/suggest.ts';
import { usageError } from '../../errors/cli-error.ts';
import type { Io } from '../../io/io.ts';
import type { LeaseAction, LeaseOptions } from '../../lease/lease-command.ts';
import { durationOption } from '../../options/duration.ts';
import type { Finish } from '../command-line.ts';

const ACTIONS: readonly LeaseAction[] = ['show', 'take', 'renew', 'release'];

const isAction = (word: string): word is LeaseAction => ACTIONS.some((action) => action === word);

/** `svcctl lease` */
export function leaseCommandLine(program: Command, io: Io, finish: Finish): void {
  program
    .command('lease')
    .description('show, take, renew or release the lease of the rig')
    .addArgument(
      new Argument('[action]', 'none: show').choices(ACTIONS).argParser((word: string) => {
        if (isAction(word)) return word;
        const near = suggest(word, ACTIONS);
        throw usageError(
          `lease "${word}" is unknown: ${near ? `did you mean ${near}?` : `use ${ACTIONS.join(', ')}`}`,
        );
      }),
    )
    .option('--owner <name>', 'take: name of the holder (else your user name)')
    .option(
      '--ttl <time>',
      'take: how long it stands without renewal, 1s to 60s (5s)',
      durationOption('--ttl'),
    )
    .option('--keep', 'take: renew it until Ctrl-C, then release it')
    .option('--id <id>', 'renew, release: the id printed by take (else SVC_LEASE_ID)')
    .option('--as-is', 'release without the safe state')
    .option('--firmware-url <url>', 'bridge (else SVC_FIRMWARE_URL, FIRMWARE_URL, http://127.0.0.1:8202)')
    .option('--json', 'print JSON and nothing else')
    .addHelpText(
      'after',
      `
Whoever holds the lease moves the rig; everybody else may only stop it (svcctl stop). A lease that nobody renews ends in
the safe state. take prints the id alone on standard output:

  export SVC_LEASE_ID=$(svcctl lease take --ttl 60s)

Exit codes: 0 done; 2 wrong usage; 3 refused, or no bridge answers.`,
    )
    .action(async (action: LeaseAction | undefined, options: LeaseOptions) => {
      const { leaseCommand } = await import('../../lease/lease-command.ts');
      finish(await leaseCommand(action ?? 'show', options, io));
    });
}
