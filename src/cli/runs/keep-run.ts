import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { reasonOf } from '../../lib/errors/reason.ts';
import { syncDirectory } from '../../lib/files/replace-file.ts';
import { FILES } from '../../scenario/records/run-file.ts';
import { CliError } from '../errors/cli-error.ts';
import { EXIT } from '../errors/exit-code.ts';
import type { Io } from '../io/io.ts';
import { findRecord } from '../records/find-record.ts';

/** `svcctl runs keep`: retention never removes the run, until `--off`. @returns exit code @throws CliError */
export function keepRun(name: string, { off = false }: { off?: boolean }, io: Io): number {
  const { directory } = findRecord(name, io);
  const path = join(directory, FILES.keep);
  try {
    if (off) rmSync(path, { force: true });
    else if (!existsSync(path)) writeFileSync(path, '');
    syncDirectory(directory);
  } catch (cause) {
    throw new CliError('output_failed', `cannot change ${path}: ${reasonOf(cause)}`, EXIT.error, { cause });
  }
  const how = off ? 'is kept as long as records in svc.yaml sets' : 'is kept for ever';
  io.stderr.write(`${basename(directory)} ${how}\n`);
  return EXIT.ok;
}
