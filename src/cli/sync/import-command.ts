import { resolve } from 'node:path';
import type { Collection } from '../../sync/collection.ts';
import { type ImportProgress, type ImportReport, importFolder } from '../../sync/import.ts';
import { EXIT } from '../errors/exit-code.ts';
import type { Io } from '../io/io.ts';
import { libraryRoot } from '../options/library.ts';
import { bar } from '../progress/bar.ts';
import { withProgress } from '../progress/with-progress.ts';

export interface ImportOptions {
  readonly dir: string;
  readonly validate: boolean;
  /** Aborted when no further scenario is to be sent. */
  readonly stop: AbortSignal;
}

/** `svc-scenario-sync --import`. @returns the exit code */
export async function importCommand(
  collection: Collection,
  { dir, validate, stop }: ImportOptions,
  io: Io,
): Promise<number> {
  const library = libraryRoot(undefined, io);
  let progress: ImportProgress | undefined;
  const report = await withProgress(
    io,
    () =>
      progress
        ? `importing ${bar(progress.done, progress.total)}${count(progress.failed, 'failed')}`
        : 'importing',
    () =>
      importFolder(collection, resolve(io.cwd, dir), {
        validate,
        stop,
        ...(library === undefined ? {} : { libraryRoot: library }),
        onProgress: (now) => {
          progress = now;
        },
      }),
  );
  for (const line of described(report)) io.stderr.write(`${line}\n`);
  io.stdout.write(`${JSON.stringify(report)}\n`);
  if (stop.aborted) return EXIT.aborted;
  return report.ok ? EXIT.ok : EXIT.failed;
}

function described({ imported, failed, skipped }: ImportReport): string[] {
  const problems = [
    ...failed.flatMap(({ id, reason, errors = [] }) => [
      `failed ${JSON.stringify(id)}: ${reason}`,
      ...errors.map(
        ({ line, rule, message }) => `  ${line === null ? '' : `line ${line}: `}${rule}: ${message}`,
      ),
    ]),
    ...skipped.map(({ id, reason }) => `skipped ${JSON.stringify(id)}: ${reason}`),
  ];
  return [
    ...problems,
    `imported ${imported.length}${count(failed.length, 'failed')}${count(skipped.length, 'skipped')}`,
  ];
}

const count = (number: number, what: string): string => (number === 0 ? '' : `, ${number} ${what}`);
