import { copyFileSync, existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError } from '../../lib/config/config-error.ts';
import { loadConfig } from '../../lib/config/load-config.ts';
import { stateDirOf } from '../../lib/liveness/live-address.ts';

interface Sources {
  env: Readonly<Record<string, string | undefined>>;
  cwd: string;
}

type Loaded = ReturnType<typeof loadConfig>;

const pathIn = (stateDir: string): string => join(stateDir, 'last-good-svc.yaml');

/** Keeps the file that a guard works with, for a time when it has been edited wrongly. @throws Error when it cannot */
export function keepGoodConfig(stateDir: string, path: string | undefined): void {
  if (path === undefined || path === pathIn(stateDir)) return;
  const temporary = `${pathIn(stateDir)}.tmp`;
  copyFileSync(path, temporary);
  renameSync(temporary, pathIn(stateDir));
}

/**
 * The configuration for a guard that has to act now: a file that is faulty by now is no reason to leave an output on, so
 * the one that the last guard of this rig worked with stands in for it. Names that mean nothing are no fault here.
 * @param onFault told what is wrong with the file that another one stands in for
 * @throws ConfigError of the file when there is no other one
 */
export function loadToAct({ env, cwd }: Sources, onFault: (message: string) => void): Loaded {
  try {
    return loadConfig({ env, cwd });
  } catch (fault) {
    const kept = pathIn(stateDirOf(env));
    if (!(fault instanceof ConfigError) || !existsSync(kept)) throw fault;
    const loaded = loadConfig({ env: { ...env, SVC_CONFIG_PATH: kept }, cwd });
    onFault(`${fault.message}; the configuration of the last guard is used instead: ${kept}`);
    return loaded;
  }
}
