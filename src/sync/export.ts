import type { Clock } from '../lib/clock/clock.ts';
import type { Collection } from './collection.ts';
import { FileNames } from './file-names.ts';
import { MANIFEST_NAME, type Manifest } from './manifest.ts';
import { readRow, type ScenarioRow, type SkippedRow } from './row.ts';
import { SyncError } from './sync-error.ts';
import { ZipWriter } from './zip.ts';

export interface Exported {
  /** The ZIP archive: one file for each scenario, and the manifest. */
  readonly archive: Uint8Array;
  readonly manifest: Manifest;
}

/**
 * Exports every scenario of a collection. Rows that are not scenarios are listed as skipped.
 * @param onRows called after each page with the number of rows read so far
 * @throws SyncError when the rows cannot be read to their end: a part is never exported as the whole
 */
export async function exportAll(
  collection: Collection,
  clock: Clock,
  onRows: (count: number) => void = () => {},
): Promise<Exported> {
  const exportedAt = new Date(clock.now());
  const zip = new ZipWriter(exportedAt);
  const names = new FileNames();
  const texts = new Map<string, string>();
  const scenarios: Manifest['scenarios'][number][] = [];
  const skipped: SkippedRow[] = [];
  let rowsRead = 0;
  for await (const rows of collection.pages()) {
    for (const value of rows) {
      const row = readRow(value);
      if (!('text' in row)) skipped.push(row);
      else if (texts.has(row.id)) {
        // Rows that move to a later page while they are read come twice.
        if (texts.get(row.id) !== row.text)
          skipped.push({
            id: row.id,
            reason: 'the id came twice with different texts; the first is exported',
          });
      } else {
        texts.set(row.id, row.text);
        const file = names.nameFor(row.id);
        zip.add(file, row.text);
        scenarios.push({ id: row.id, file, title: row.title, bytes: Buffer.byteLength(row.text) });
      }
    }
    rowsRead += rows.length;
    onRows(rowsRead);
  }
  const manifest = {
    exported_at: exportedAt.toISOString(),
    source: collection.shownUrl,
    scenarios,
    skipped,
    count: scenarios.length,
  };
  zip.add(MANIFEST_NAME, `${JSON.stringify(manifest, null, 2)}\n`);
  return { archive: zip.finish(), manifest };
}

/** Exports one scenario. @throws SyncError, also when the row is not a scenario */
export async function exportOne(collection: Collection, id: string): Promise<ScenarioRow> {
  const row = readRow(await collection.row(id));
  if ('text' in row) return row;
  throw new SyncError(
    'unexpected_answer',
    `scenario ${JSON.stringify(id)} cannot be exported: ${row.reason}`,
  );
}
