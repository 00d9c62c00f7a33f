import type { Command } from 'commander';
import type { Io } from '../../io/io.ts';
import type { Finish } from '../command-line.ts';

/** `svcctl follow` */
export function followCommandLine(program: Command, io: Io, finish: Finish): void {
  program
    .command('follow')
    .description('show a run of svc-server until it ends')
    .argument('<run>', 'run id')
    .option('--server-url <url>', 'API server (else SVC_SERVER_URL, http://127.0.0.1:8200)')
    .option('--json', 'print the run as one JSON document at its end')
    .option('-q, --quiet', 'print the last line only')
    .addHelpText(
      'after',
      `
The run goes on when this command ends (Ctrl-C, a closed terminal); svcctl stop makes the rig safe and ends it.

Exit codes: those of run: 0 passed, 1 failed, 3 no verdict, 130 aborted; 2 there is no such run.`,
    )
    .action(async (id: string, options: { serverUrl?: string; json?: boolean; quiet?: boolean }) => {
      const { followCommand } = await import('../../follow/follow-command.ts');
      finish(await followCommand(id, options, io));
    });
}
