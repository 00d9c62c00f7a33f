import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError } from '../../lib/config/config-error.ts';
import { stateDirOf } from '../../lib/liveness/live-address.ts';
import { fileSchema } from '../../rig/configuration/file-schema.ts';
import { type ConfigSources, loadConfig, mergeConfig } from '../../rig/configuration/load-config.ts';
import { checkedRig } from '../../rig/configuration/load-rig-config.ts';
import { writeWhole } from '../../rig/guard/state-file.ts';

type Loaded = ReturnType<typeof loadConfig>;

export interface GuardConfig extends Loaded {
  /** It is not the whole file, or another one. */
  isFaulty: boolean;
}

const pathIn = (stateDir: string): string => join(stateDir, 'last-good-svc.yaml');

/** Keeps the configuration that a guard works with as it was loaded: the file may have been edited wrongly since. @throws Error when it cannot */
export function keepGoodConfig(stateDir: string, { path, text }: Loaded): void {
  if (path === undefined || path === pathIn(stateDir)) return;
  writeWhole(pathIn(stateDir), text);
}

/** The configuration as every program has it. @throws ConfigError, also for a file of a real rig that names no device */
export function loadValid(sources: ConfigSources): Loaded {
  const loaded = withDevices(loadConfig(sources));
  checkedRig(loaded.config, loaded.path);
  return loaded;
}

/**
 * The configuration for a guard: a file that is faulty by now is no reason to leave an output on. The file counts without its
 * names that mean nothing, else the one that the last guard of this rig worked with.
 * @param mustAct also where no guard has worked before, such a file counts
 * @param onFault told what is wrong with the file, and what is used
 * @throws ConfigError of the file when there is nothing to work with
 */
export function loadToGuard(
  sources: ConfigSources,
  mustAct: boolean,
  onFault: (message: string) => void,
): GuardConfig {
  try {
    return { ...loadValid(sources), isFaulty: false };
  } catch (fault) {
    const { env, cwd } = sources;
    const kept = pathIn(stateDirOf(env));
    const hasKept = existsSync(kept);
    if (!(fault instanceof ConfigError) || !(mustAct || hasKept)) throw fault;
    const file = usable(() => withDevices(loadConfig(sources)));
    if (!file && !hasKept) throw fault;
    const loaded = file ?? loadConfig({ env: { ...env, SVC_CONFIG_PATH: kept }, cwd });
    const what = file
      ? 'the rest of it is used'
      : `the configuration of the last guard is used instead: ${kept}`;
    onFault(`${fault.message}; ${what}`);
    return { ...loaded, isFaulty: true };
  }
}

/** @throws ConfigError for a file that is empty, as one that was cut off: the default devices may be another rig's */
function withDevices(loaded: Loaded): Loaded {
  const { config, path, file } = loaded;
  const isEmptyFile = path !== undefined && path !== '/dev/null' && file.plugins === undefined;
  if (config.hardwareMode === 'mock' || !isEmptyFile || !hasDefaultDevices(config.plugins)) return loaded;
  const message =
    'names no device: write the devices of this rig there, or set SVC_CONFIG_PATH=/dev/null for the default ones';
  throw new ConfigError(path, [{ path: 'plugins', value: null, message }]);
}

const hasDefaultDevices = (plugins: Loaded['config']['plugins']): boolean =>
  JSON.stringify(plugins) === JSON.stringify(mergeConfig(fileSchema.parse({}), {}).plugins);

function usable(load: () => Loaded): Loaded | undefined {
  try {
    return load();
  } catch (fault) {
    if (fault instanceof ConfigError) return undefined;
    throw fault;
  }
}
