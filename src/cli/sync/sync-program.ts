import { Collection } from '../../sync/collection.ts';
import { usageError } from '../errors/cli-error.ts';
import type { ProgramDefinition } from '../io/run-program.ts';
import { baseUrl } from '../options/url.ts';
import { DEFAULT_BASE, type SyncOptions, syncCommandLine } from './command-line.ts';

/** `svc-scenario-sync` */
export const syncProgram: ProgramDefinition<SyncOptions> = {
  name: 'svc-scenario-sync',
  define: syncCommandLine,
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
