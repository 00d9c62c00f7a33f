import { Argument, type Command } from 'commander';
import { suggest } from '../../../scenario/diagnostics/suggest.ts';
import { usageError } from '../../errors/cli-error.ts';
import type { Io } from '../../io/io.ts';
import type { RunsOptions } from '../../runs/runs-command.ts';
import type { Finish } from '../command-line.ts';
import { usageSentence } from '../usage-sentence.ts';

const ACTIONS = ['list', 'export', 'import', 'keep'] as const;

/** `svcctl runs [list | export <run> | import <file> | keep <run>]` */
export function runsCommandLine(program: Command, io: Io, finish: Finish): void {
  const list = async (options: RunsOptions) => {
    const { runsCommand } = await import('../../runs/runs-command.ts');
    finish(await runsCommand(options, io));
  };
  const runs = program
    .command('runs')
    .description('list the recorded runs, newest first; export, import or keep one')
    .usage(
      '[list | export <run> [--output FILE] | import <file> [--into DIR] | keep <run> [--off]] [options]',
    )
    .addArgument(
      new Argument('[action]', 'none: list').choices(ACTIONS).argParser((word: string) => {
        const near = suggest(word, ACTIONS);
        throw usageError(
          `runs "${word}" is unknown: ${near ? `did you mean ${near}?` : 'use list, export, import or keep'}`,
        );
      }),
    )
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

export checks the record and writes RUN.tar.gz: the files of the record with their seal, and the report as a page.

Exit codes: 0 done; 1 records are damaged (they are listed), or an imported run was changed; 2 wrong usage; 3 the
records cannot be read or written.`,
    )
    .action((_action: undefined, options: RunsOptions) => list(options));
  runs
    .command('list')
    .description('the same as runs alone')
    .action((_options: object, command: Command) => list(command.optsWithGlobals()));
  runs
    .command('export')
    .description('put a run with its seal and its report into one file')
    .argument('<record>', 'run id, or folder with a record')
    .option('--output <file>', 'write it there (else RUN.tar.gz)')
    .action(async (name: string, options: { output?: string }) => {
      const { exportRun } = await import('../../runs/export-run.ts');
      finish(await exportRun(name, options, io));
    });
  runs
    .command('import')
    .description('put an exported run beside other records, when it is what was sealed')
    .argument('<file>', 'a file that export has made')
    .option('--into <dir>', 'folder of the records (else SVC_STATE_DIR, for runs of this rig)')
    .action(async (file: string, options: { into?: string }) => {
      const { importRun } = await import('../../runs/import-run.ts');
      finish(await importRun(file, options, io));
    });
  runs
    .command('keep')
    .description('never remove this run, whatever records in svc.yaml sets')
    .argument('<record>', 'run id')
    .option('--off', 'keep it no longer than others')
    .action(async (name: string, options: { off?: boolean }) => {
      const { keepRun } = await import('../../runs/keep-run.ts');
      finish(keepRun(name, options, io));
    });
  for (const command of runs.commands)
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
