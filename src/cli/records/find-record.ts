import { existsSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { stateDirOf } from '../../lib/liveness/live-address.ts';
import { acceptedKeys } from '../../scenario/records/accepted-keys.ts';
import { FILES } from '../../scenario/records/run-file.ts';
import { usageError } from '../errors/cli-error.ts';
import type { Io } from '../io/io.ts';

const RUN_ID = /^r-\d{8}-\d{4,}$/;

/** A record as a command names it. */
export interface FoundRecord {
  readonly directory: string;
  /** It is among the records of `SVC_STATE_DIR`. */
  readonly isOwn: boolean;
  /** Fingerprints of the keys that may have sealed it; undefined: any, or the own key cannot be read. */
  readonly keys?: readonly string[] | undefined;
}

/** The record of a run id in `SVC_STATE_DIR`, or of a folder. @throws CliError exit code 2; RecordError `key_unusable` */
export function findRecord(name: string, { env, cwd }: Pick<Io, 'env' | 'cwd'>): FoundRecord {
  const stateDir = stateDirOf(env);
  const root = join(stateDir, 'runs');
  const own = join(root, name);
  if (RUN_ID.test(name) && existsSync(own))
    return { directory: own, isOwn: true, keys: acceptedKeys(stateDir) };
  const directory = resolve(cwd, name);
  if (statSync(directory, { throwIfNoEntry: false })?.isDirectory()) {
    if (existsSync(join(directory, FILES.run)) || existsSync(join(directory, FILES.seal)))
      return { directory, isOwn: false };
    throw usageError(`${directory} holds no record of a run: it has no ${FILES.run}`);
  }
  throw usageError(
    `there is no run ${JSON.stringify(name)} in ${root} and no such folder; svcctl runs lists the runs`,
  );
}
