import { createHash } from 'node:crypto';
import { tmpdir, userInfo } from 'node:os';
import { join, resolve } from 'node:path';
import { usageError } from '../errors/cli-error.ts';

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
