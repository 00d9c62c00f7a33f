import type { MigrationReport } from '../../sync/migrate-rows.ts';
import { scenarioId } from '../../sync/scenario-id.ts';
import { usageError } from '../errors/cli-error.ts';
import { EXIT } from '../errors/exit-code.ts';
import type { Io } from '../io/io.ts';
import type { ProgramDefinition } from '../io/run-program.ts';
import { libraryRoot } from '../options/library.ts';
import { bar } from '../progress/bar.ts';
import { withProgress } from '../progress/with-progress.ts';
import { DEFAULT_SOURCE, type MigrateOptions, migrateCommandLine } from './command-line.ts';

/** `svc-scenario-migrate` */
export const migrateProgram: ProgramDefinition<MigrateOptions> = {
  name: 'svc-scenario-migrate',
  define: migrateCommandLine,
  printsReport: () => true,
  async run(options, io, stop) {
    const { preferLocal = false, writeMethod, pretty } = options;
    const sourceUrl = httpUrl('--source-url', options.sourceUrl);
    const write = writeTo(options);
    const scenario = options.scenario === undefined ? undefined : scenarioId(options.scenario);
    if (options.scenario !== undefined && scenario === undefined)
      throw usageError(`--scenario "${options.scenario}" names no scenario: give an id`);
    const { migrateRows } = await import('../../sync/migrate-rows.ts');
    let progress: { done: number; total: number } | undefined;
    const report = await withProgress(
      io,
      () => (progress ? `migrating ${bar(progress.done, progress.total)}` : 'migrating'),
      () =>
        migrateRows({
          sourceUrl,
          preferLocal,
          libraryRoot: libraryRoot(undefined, io),
          ...(scenario === undefined ? {} : { scenario }),
          ...(write === undefined ? {} : { write: { method: writeMethod, url: write } }),
          request: { clock: io.clock, signal: stop.now },
          stop: stop.soon,
          onProgress: (now) => {
            progress = now;
          },
        }),
    );
    describe(report, io);
    io.stdout.write(`${JSON.stringify(report, null, pretty ? 2 : undefined)}\n`);
    if (stop.soon.aborted) return EXIT.aborted;
    return report.ok ? EXIT.ok : EXIT.failed;
  },
};

/** @returns the template to write to with --apply */
function writeTo({ apply, writeUrl }: MigrateOptions): string | undefined {
  if (apply && writeUrl === undefined)
    throw usageError('--apply has no address to write to: give --write-url with {id} in it');
  if (writeUrl === undefined) return undefined;
  if (!writeUrl.includes('{id}'))
    throw usageError(`--write-url "${writeUrl}" has no {id}: every scenario would be written to one address`);
  httpUrl('--write-url', writeUrl.replaceAll('{id}', 'id'));
  return apply ? writeUrl : undefined;
}

function httpUrl(option: string, text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return text;
  throw usageError(`${option} "${text}" is not an http address: write for example ${DEFAULT_SOURCE}`);
}

function describe(
  { summary, apply, results, unsupported, updated_remote }: MigrationReport,
  { stderr }: Io,
): void {
  const say = (text: string) => stderr.write(`${text}\n`);
  for (const { id, position, reason } of unsupported)
    say(`unsupported ${JSON.stringify(id)} line ${position.line}:${position.column}: ${reason}`);
  for (const result of results) {
    if (result.status === 'invalid')
      for (const { line, message } of result.errors)
        say(`invalid ${JSON.stringify(result.id)}${line === null ? '' : ` line ${line}`}: ${message}`);
    if (result.status === 'skipped') say(`skipped ${JSON.stringify(result.id)}: ${result.reason}`);
  }
  for (const { id, ok, reason } of updated_remote)
    if (!ok) say(`not written ${JSON.stringify(id)}: ${reason}`);
  const { rows, migrated, unchanged, written } = summary;
  say(
    `${rows} rows: ${migrated} migrated, ${unchanged} unchanged, ${summary.unsupported} unsupported, ${summary.invalid} invalid, ${summary.skipped} skipped${apply ? `; ${written} written, ${summary.not_written} not written` : '; preview only, nothing written'}`,
  );
}
