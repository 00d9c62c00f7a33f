import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Io } from '../io/io.ts';
import { readSettings } from '../profile/rig-files.ts';
import { installation } from '../start/installation.ts';
import { runtimeFolder } from '../start/runtime-folder.ts';

/** Services specification, section 13. */
const DEFAULT = '/var/lib/svc';

/**
 * Where the stack service keeps its fingerprint: as named, else as SVC_STATE_DIR says in the environment or in the
 * `rig.env` that PM2 gives the services.
 * @throws CliError exit code 2 when RIG_RUNTIME_DIR cannot be used
 */
export function stateDir(named: string | undefined, { env, cwd }: Pick<Io, 'env' | 'cwd'>): string {
  const given = named ?? env.SVC_STATE_DIR;
  return given ? resolve(cwd, given) : (ofRig({ env, cwd }) ?? DEFAULT);
}

function ofRig({ env, cwd }: Pick<Io, 'env' | 'cwd'>): string | undefined {
  const folder = runtimeFolder(installation().root, env.RIG_RUNTIME_DIR, cwd);
  return existsSync(folder.settings) ? readSettings(folder).SVC_STATE_DIR : undefined;
}
