import {
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  rmdirSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { KEY_FILE } from '../../scenario/records/rig-key.ts';
import { isUneditedConfig } from './generated-config.ts';
import type { RuntimeFolder } from './runtime-folder.ts';
import { startError } from './start-error.ts';

/** Creates the folder itself. @throws CliError `runtime_folder` when it belongs to somebody else */
export function claimFolder({ path }: RuntimeFolder): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  const found = lstatSync(path);
  // In a temporary folder the name may have been taken by another user, or lead somewhere else.
  if (found.isDirectory() && found.uid === userInfo().uid) return;
  const message = `${path} is not a folder of yours: remove it or name another one with RIG_RUNTIME_DIR`;
  throw startError('runtime_folder', message);
}

/** Creates what the processes need in it. */
export function createParts({ logs, pm2, runs, state }: RuntimeFolder): void {
  for (const part of [logs, pm2, runs, state]) mkdirSync(part, { recursive: true });
  // The API server's records outlive the state of the other services.
  const records = join(state, 'runs');
  if (!existsSync(records)) symlinkSync(runs, records);
  const key = join(state, KEY_FILE);
  if (!existsSync(key) && existsSync(keptKey(runs))) copyFileSync(keptKey(runs), key);
}

/** The key that sealed the records stays with them: without it the next start would take them for changed. */
const keptKey = (runs: string): string => join(runs, `.${KEY_FILE}`);

/**
 * Removes all but the runs and a configuration that is not ours to remove, and what is empty then.
 * @param chosenConfig file that `--config` named; it is never removed
 */
export function removeFolder(
  { path, pm2, bench, logs, ownConfig, settings, profile, state, runs }: RuntimeFolder,
  chosenConfig?: string,
): void {
  const key = join(state, KEY_FILE);
  const hasRecords = existsSync(runs) && readdirSync(runs).some((name) => name.startsWith('r-'));
  if (existsSync(key) && hasRecords) copyFileSync(key, keptKey(runs));
  for (const part of [pm2, bench, logs, settings, profile, state])
    rmSync(part, { recursive: true, force: true });
  if (isUneditedConfig(ownConfig) && !isSameFile(ownConfig, chosenConfig)) rmSync(ownConfig);
  for (const part of [runs, path]) if (existsSync(part) && readdirSync(part).length === 0) rmdirSync(part);
}

const isSameFile = (one: string, other: string | undefined): boolean =>
  other !== undefined && existsSync(other) && realpathSync(one) === realpathSync(other);
