import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { reasonOf } from '../../lib/errors/reason.ts';
import { syncDirectory } from '../../lib/files/replace-file.ts';
import { stateDirOf } from '../../lib/liveness/live-address.ts';
import { type RigPublicKey, readRigKey, rigIdOf } from '../../scenario/records/rig-key.ts';
import { FILES } from '../../scenario/records/run-file.ts';
import { faultText, verifyRecord } from '../../scenario/records/verify-record.ts';
import { CliError, usageError } from '../errors/cli-error.ts';
import { EXIT } from '../errors/exit-code.ts';
import type { Io } from '../io/io.ts';
import { unpackRecord } from './archive.ts';

/** `svcctl runs import`: puts an exported run beside other records when it is what was sealed. @returns exit code @throws CliError */
export async function importRun(file: string, options: { into?: string }, io: Io): Promise<number> {
  const path = resolve(io.cwd, file);
  if (!existsSync(path)) throw usageError(`${path}: no such file`);
  const stateDir = options.into === undefined ? stateDirOf(io.env) : resolve(io.cwd, options.into);
  const root = join(stateDir, 'runs');
  const folder = join(root, `.import-${process.pid}`);
  try {
    mkdirSync(root, { recursive: true });
    const id = await unpackRecord(path, folder);
    const key = await requireSealed(folder, id, path, options.into === undefined ? stateDir : undefined);
    return putInPlace(folder, join(root, id), key, io);
  } catch (cause) {
    if (cause instanceof CliError) throw cause;
    throw new CliError(
      'import_failed',
      `cannot import ${path} into ${root}: ${reasonOf(cause)}`,
      EXIT.error,
      {
        cause,
      },
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @param own state folder of this rig, when its own records are imported into. @returns the key of the seal; @throws CliError */
async function requireSealed(
  folder: string,
  id: string,
  path: string,
  own: string | undefined,
): Promise<RigPublicKey> {
  const { run_id, status, faults, key } = await verifyRecord(folder, { named: false });
  const [fault] = faults;
  if (fault) {
    const [code, why] =
      status === 'unsealed'
        ? ['record_unsealed', `${id} is not imported`]
        : ['record_damaged', 'the record was changed'];
    throw new CliError(code, `${path}: ${why}: ${faultText(fault)}`, EXIT.failed);
  }
  if (key === null || run_id !== id)
    throw new CliError(
      'record_damaged',
      `${path}: ${id} is not a record of a run that has ended`,
      EXIT.failed,
    );
  if (existsSync(join(folder, FILES.keep)))
    throw new CliError(
      'record_damaged',
      `${path}: it has the file ${FILES.keep}, which no export writes; import it without that file, then use svcctl runs keep`,
      EXIT.failed,
    );
  if (own !== undefined) requireOwn(id, key, own);
  return key;
}

/** @throws CliError exit code 2 */
function requireOwn(id: string, key: RigPublicKey, own: string): void {
  const rig = readRigKey(own)?.public;
  if (rig?.fingerprint === key.fingerprint) return;
  const why = rig
    ? `and the records in ${own} are those of ${rigIdOf(rig)}`
    : `and the key of the rig whose records are in ${own} cannot be read`;
  throw usageError(`${id} is of ${rigIdOf(key)}, ${why}: name another folder with --into`);
}

function putInPlace(folder: string, directory: string, key: RigPublicKey, io: Io): number {
  if (existsSync(directory)) {
    const sealOf = (one: string) => readFileSync(join(one, FILES.seal), 'utf8');
    if (existsSync(join(directory, FILES.seal)) && sealOf(directory) === sealOf(folder)) {
      io.stderr.write(`${directory} is there already\n`);
      return EXIT.ok;
    }
    throw new CliError(
      'run_exists',
      `${directory} is another run of the same name: name another folder with --into`,
      EXIT.error,
    );
  }
  renameSync(folder, directory);
  syncDirectory(join(directory, '..'));
  io.stderr.write(`${directory}: sealed by ${rigIdOf(key)}, key ${key.fingerprint}\n`);
  return EXIT.ok;
}
