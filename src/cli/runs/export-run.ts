import { existsSync, renameSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import process from 'node:process';
import { reasonOf } from '../../lib/errors/reason.ts';
import { syncDirectory } from '../../lib/files/replace-file.ts';
import { FILES } from '../../scenario/records/run-file.ts';
import { sealedNames } from '../../scenario/records/seal.ts';
import { reportText } from '../../services/server/report.ts';
import { CliError } from '../errors/cli-error.ts';
import { EXIT } from '../errors/exit-code.ts';
import type { Io } from '../io/io.ts';
import { findRecord } from '../records/find-record.ts';
import { loadFound } from '../records/load-found.ts';
import { writeArchive } from './archive.ts';

/** `svcctl runs export`: the record with its seal, and its report, as one file. @returns exit code @throws CliError */
export async function exportRun(name: string, options: { output?: string }, io: Io): Promise<number> {
  const found = findRecord(name, io);
  const source = await loadFound(found);
  const { run_id: id } = source.file.identity;
  const path = resolve(io.cwd, options.output ?? `${id}.tar.gz`);
  const { directory } = found;
  const names = [
    ...sealedNames(directory),
    ...[FILES.seal].filter((one) => existsSync(join(directory, one))),
  ];
  const entries = names.map((file) => ({ name: `${id}/${file}`, content: { path: join(directory, file) } }));
  const report = { name: `${id}.html`, content: Buffer.from(reportText('html', source)) };
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    await writeArchive(temporary, [...entries, report], new Date(source.view.ended_at ?? 0));
    renameSync(temporary, path);
    syncDirectory(dirname(path));
  } catch (cause) {
    rmSync(temporary, { force: true });
    throw new CliError('output_failed', `cannot write ${path}: ${reasonOf(cause)}`, EXIT.error, { cause });
  }
  io.stderr.write(`${path}\n`);
  return EXIT.ok;
}
