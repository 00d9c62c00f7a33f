import { createReadStream, createWriteStream, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { extract, pack } from 'tar-stream';
import { CliError } from '../errors/cli-error.ts';
import { EXIT } from '../errors/exit-code.ts';

/** Unpacked, of all files; a record of two hours has about 100 MB. */
const MOST_BYTES = 2 * 1024 ** 3;
const RECORD_FILE = /^(r-\d{8}-\d{4,})\/([A-Za-z0-9][A-Za-z0-9._-]{0,100})$/;

export interface ArchiveEntry {
  /** `r-20250115-0001/run.json` */
  readonly name: string;
  readonly content: Uint8Array | { readonly path: string };
}

/** Writes a `.tar.gz`. @param mtime of all entries: the same record gives the same archive. @throws the system's error */
export async function writeArchive(
  path: string,
  entries: readonly ArchiveEntry[],
  mtime: Date,
): Promise<void> {
  const archive = pack();
  const written = pipeline(archive, createGzip(), createWriteStream(path, { flags: 'wx' }));
  for (const { name, content } of entries) {
    const bytes = content instanceof Uint8Array ? content : readFileSync(content.path);
    archive.entry({ name, mtime, mode: 0o644 }, Buffer.from(bytes));
  }
  archive.finalize();
  await written;
}

/**
 * Unpacks the record of a `.tar.gz` into a folder that it makes. Files beside the record are passed over.
 * @returns id of the run; @throws CliError `not_an_archive`; the system's error
 */
export async function unpackRecord(path: string, folder: string): Promise<string> {
  const unpacked = extract();
  let run: string | undefined;
  let bytes = 0;
  const names = new Set<string>();
  mkdirSync(folder);
  const done = pipeline(createReadStream(path), createGunzip(), unpacked).catch((cause: unknown) => {
    if (cause instanceof CliError || (cause as NodeJS.ErrnoException).syscall) throw cause;
    throw wrong(path, 'it is not a .tar.gz', cause);
  });
  const reading = (async () => {
    for await (const entry of unpacked) {
      const { name, type, size = 0 } = entry.header;
      const [, id, file] = RECORD_FILE.exec(name) ?? [];
      if (id === undefined || file === undefined) {
        // A path that leads out of the folder is no record of ours, whatever else there is.
        if (name.includes('..') || name.startsWith('/')) throw wrong(path, `it has the path ${name}`);
        entry.resume();
        continue;
      }
      bytes += size;
      if (type !== 'file') throw wrong(path, `${name} is a ${type}, not a file`);
      if (run !== undefined && run !== id) throw wrong(path, `it has two runs, ${run} and ${id}`);
      if (names.has(file)) throw wrong(path, `it has ${name} twice`);
      if (bytes > MOST_BYTES) throw wrong(path, `it has more than ${MOST_BYTES / 1024 ** 3} GiB`);
      run = id;
      names.add(file);
      await pipeline(entry, createWriteStream(join(folder, file), { flags: 'wx', mode: 0o644 }));
    }
  })();
  const [read, piped] = await Promise.allSettled([reading, done]);
  if (read.status === 'rejected' && read.reason instanceof CliError) throw read.reason;
  if (piped.status === 'rejected') throw piped.reason;
  if (read.status === 'rejected') throw wrong(path, 'it cannot be unpacked', read.reason);
  if (run === undefined) throw wrong(path, 'it has no record of a run');
  return run;
}

const wrong = (path: string, why: string, cause?: unknown): CliError =>
  new CliError('not_an_archive', `${path} is not an exported run: ${why}`, EXIT.error, { cause });
