import { createHash } from 'node:crypto';
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
import { tmpdir, userInfo } from 'node:os';
import { join, resolve } from 'node:path';
import { KEY_FILE } from '../../scenario/records/rig-key.ts';
import { usageError } from '../errors/cli-error.ts';
import { isUneditedConfig } from './generated-config.ts';
import { startError } from './start-error.ts';

/** The folder a start works in. At the end only the runs and an edited `svc.yaml` remain in it. */
export interface RuntimeFolder {
  path: string;
  /** PM2's own folder: PM2_HOME. */
  pm2: string;
  /** Links and sockets of the twins. */
  bench: string;
  logs: string;
  /** Configuration of the rig: `ownConfig`, or the file that `--config` names. */
  config: string;
  /** `svc.yaml` of the folder, generated when it does not exist. */
  ownConfig: string;
  /** Settings of the processes, for PM2's file. */
  settings: string;
  /** Profile of the ADC services, unless the settings name another file. */
  profile: string;
  /** What the services keep between starts, in a rig on the bench. */
  state: string;
  /** Records of the runs; kept. */
  runs: string;
}

/** `sun_path` takes 107 bytes, and the longest socket is `<folder>/bench/ads1115.sock`. */
const LONGEST_PATH_BYTES = 107 - Buffer.byteLength('/bench/ads1115.sock');

/**
 * The folder as RIG_RUNTIME_DIR names it, else `.rig` in the project. A project that lies too deep for socket paths
 * gets a folder of its own in the temporary one, always the same; its runs stay in `.rig`.
 * @throws CliError exit code 2 when the named one is too long
 */
export function runtimeFolder(root: string, named: string | undefined, cwd: string): RuntimeFolder {
  const wanted = named ? resolve(cwd, named) : join(root, '.rig');
  if (fits(wanted)) return folder(wanted, wanted);
  if (named) {
    const bytes = `${LONGEST_PATH_BYTES} bytes`;
    throw usageError(`RIG_RUNTIME_DIR "${named}" is too long for sockets: name a path of at most ${bytes}`);
  }
  const hash = createHash('sha256').update(root).digest('hex').slice(0, 12);
  return folder(join(tmpdir(), `svc-rig-${userInfo().uid}-${hash}`), wanted);
}

const fits = (path: string): boolean => Buffer.byteLength(path) <= LONGEST_PATH_BYTES;

const folder = (path: string, records: string): RuntimeFolder => ({
  path,
  pm2: join(path, 'pm2'),
  bench: join(path, 'bench'),
  logs: join(path, 'logs'),
  config: join(path, 'svc.yaml'),
  ownConfig: join(path, 'svc.yaml'),
  settings: join(path, 'rig.env'),
  profile: join(path, 'profile'),
  state: join(path, 'state'),
  runs: join(records, 'runs'),
});

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
