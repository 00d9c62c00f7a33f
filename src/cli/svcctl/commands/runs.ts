import type { Command } from 'commander';
import type { Io } from '../../io/io.ts';
import type { RunsOptions } from '../../runs/runs-command.ts';
import type { Finish } from '../command-line.ts';

/** `svcctl runs` */
export function runsCommandLine(program: Command, io: Io, finish: Finish): void {
  program
    .command('runs')
    .description('list the recorded runs, newest first')
    .option('--limit <n>', 'runs at most, 1 to 1000 (50)')
    .option('--before <run>', 'the rest of the list behind this run')
    .option('--status <status>', 'passed, done, failed, error, inconclusive or aborted')
    .option('--scenario <id>', 'of this scenario')
    .option('--serial <number>', 'of this unit under test')
    .option('--part <number>', 'of this part number')
    .option('--batch <name>', 'of this batch')
    .option('--operator <name>', 'by this operator')
    .option('--since <time>', 'started at or after this date or time (UTC)')
    .option('--until <time>', 'started before this time, or on this date at the latest')
    .option('--hardware <kind>', 'real, bench or mock')
    .option('--search <text>', 'with this text in id, scenario, unit, part, batch or operator')
    .option('--rebuild', 'make the index of the records again')
    .option('--json', 'print JSON and nothing else')
    .addHelpText(
      'after',
      `
Reads the records in SVC_STATE_DIR, also while svc-server uses them. --rebuild deletes the index and makes it from the
records; a server that runs takes the new one.

Exit codes: 0 done; 1 records are damaged (they are listed); 2 wrong usage; 3 the records cannot be read.`,
    )
    .action(async (options: RunsOptions) => {
      const { runsCommand } = await import('../../runs/runs-command.ts');
      finish(await runsCommand(options, io));
    });
}
