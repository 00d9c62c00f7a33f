import { resolve } from 'node:path';
import { writeAtomically } from '../../scenario/outputs/atomic-write.ts';
import type { Collection } from '../../sync/collection.ts';
import { exportAll, exportOne } from '../../sync/export.ts';
import { scenarioId } from '../../sync/scenario-id.ts';
import { usageError } from '../errors/cli-error.ts';
import { EXIT } from '../errors/exit-code.ts';
import type { Io } from '../io/io.ts';
import { withProgress } from '../progress/with-progress.ts';
import { requireWritable } from '../run/writable.ts';
import type { SyncOptions } from './command-line.ts';

const DEFAULT_ARCHIVE = 'scenarios.zip';

/** `svc-scenario-sync --all` and `--scenario`. @returns the exit code */
export async function exportCommand(
  collection: Collection,
  { scenario, out }: SyncOptions,
  io: Io,
): Promise<number> {
  const name = out ?? (scenario === undefined ? DEFAULT_ARCHIVE : undefined);
  const path = name === undefined ? undefined : resolve(io.cwd, name);
  if (path !== undefined) requireWritable('--out', path);
  const report =
    scenario === undefined
      ? await exportArchive(collection, path!, io)
      : await exportText(collection, idOf(scenario), path, io);
  if (report) io.stdout.write(`${JSON.stringify({ ok: true, out: name, ...report })}\n`);
  return EXIT.ok;
}

async function exportArchive(collection: Collection, path: string, io: Io): Promise<object> {
  let count = 0;
  const onRows = (rows: number) => {
    count = rows;
  };
  const { archive, manifest } = await withProgress(
    io,
    () => `exporting: ${count} rows`,
    () => exportAll(collection, io.clock, onRows),
  );
  writeAtomically(path, archive);
  for (const { id, reason } of manifest.skipped)
    io.stderr.write(`skipped ${id === null ? 'a row' : JSON.stringify(id)}: ${reason}\n`);
  return { count: manifest.count, skipped: manifest.skipped };
}

/** @returns a report when the text went into a file */
async function exportText(
  collection: Collection,
  id: string,
  path: string | undefined,
  io: Io,
): Promise<object | undefined> {
  const { text, title } = await exportOne(collection, id);
  if (path === undefined) {
    io.stdout.write(text);
    return undefined;
  }
  writeAtomically(path, text);
  return { id, title, bytes: Buffer.byteLength(text) };
}

function idOf(scenario: string): string {
  const id = scenarioId(scenario);
  if (id !== undefined) return id;
  throw usageError(`--scenario "${scenario}" names no scenario: give an id, or a URL that ends with one`);
}
