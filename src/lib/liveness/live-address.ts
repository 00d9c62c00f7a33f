import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { abstractAddress } from './abstract-address.ts';

/** Where services keep their state, by default. */
const DEFAULT_STATE_DIR = '/var/lib/svc';

/** `SVC_STATE_DIR`, as an absolute path. */
export function stateDirOf(env: Readonly<Record<string, string | undefined>>): string {
  return resolve(env.SVC_STATE_DIR || DEFAULT_STATE_DIR);
}

/** Reports the rigs of one machine apart: programs that share a state folder belong together. */
export function rigKey(stateDir: string): string {
  return createHash('sha256').update(realPath(stateDir)).digest('hex').slice(0, 16);
}

/** Address of a service's life line. */
export const liveAddress = (service: string, rig: string): string =>
  abstractAddress(`svc-live/${service}/${rig}`);

/** Address at which the guard takes commands. */
export const guardAddress = (rig: string): string => abstractAddress(`svc-guard/${rig}`);

/** A folder that is not there yet has the real path of the part that is. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
}
