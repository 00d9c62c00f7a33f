import type { Command } from 'commander';
import { Collection } from '../../sync/collection.ts';
import { usageError } from '../errors/cli-error.ts';
import type { ProgramDefinition } from '../io/run-program.ts';
import { baseUrl } from '../options/url.ts';

const DEFAULT_BASE = 'http://localhost:8096';

export interface SyncOptions {
  readonly base: string;
  readonly all?: true;
  readonly scenario?: string;
  readonly import?: true;
  readonly dir?: string;
  readonly out?: string;
  readonly validate: boolean;
}

/** `svc-scenario-sync` */
export const syncProgram: ProgramDefinition<SyncOptions> = {
  name: 'svc-scenario-sync',
  define: (program: Command) =>
    program
      .description('Moves scenarios between a scenario database and files.')
      .usage('(--all | --scenario <id> | --import --dir <dir>) [options]')
      .option('--base <url>', 'address of the scenario API', DEFAULT_BASE)
      .option('--all', 'export all scenarios into a ZIP archive')
      .option('--scenario <id>', 'export one scenario: its id, or a URL with a scenario parameter')
      .option('--out <file>', 'file to write (default: scenarios.zip; one scenario: standard output)')
      .option('--import', 'import the files of --dir, one PATCH for each scenario')
      .option('--dir <dir>', 'folder of an unpacked archive, or of files named <id>.oql')
      .option('--no-validate', 'import without validating against version 4')
      .addHelpText('after', EXAMPLES),
  printsReport: ({ scenario, out }) => scenario === undefined || out !== undefined,
  async run(options, io, stop) {
    requireOneTask(options);
    const base = baseUrl('--base', options.base, DEFAULT_BASE);
    if (options.dir !== undefined) {
      const { importCommand } = await import('./import-command.ts');
      return importCommand(
        new Collection(base, { clock: io.clock, signal: stop.now }),
        { dir: options.dir, validate: options.validate, stop: stop.soon },
        io,
      );
    }
    const { exportCommand } = await import('./export-command.ts');
    return exportCommand(new Collection(base, { clock: io.clock, signal: stop.soon }), options, io);
  },
};

function requireOneTask({ all, scenario, import: isImport, dir, out, validate }: SyncOptions): void {
  const tasks = [all, scenario, isImport].filter((task) => task !== undefined);
  if (tasks.length !== 1) throw usageError('give one of --all, --scenario <id> and --import');
  if (isImport && dir === undefined) throw usageError('--import has no folder: give --dir <dir>');
  if (isImport && out !== undefined) throw usageError('--out is for an export: leave it out with --import');
  if (!isImport && dir !== undefined) throw usageError('--dir is for an import: give --import too');
  if (!isImport && !validate) throw usageError('--no-validate is for an import: give --import too');
}

const EXAMPLES = `
Examples:
  svc-scenario-sync --all --out scenarios.zip           every scenario, with manifest.json
  svc-scenario-sync --scenario mask-leak                one scenario on standard output
  svc-scenario-sync --import --dir scenarios            back into the database

Exit codes: 0 done, 1 a scenario was not imported, 2 wrong usage or nothing could be done, 130 interrupted.`;
