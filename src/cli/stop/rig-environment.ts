import type { Io } from '../io/io.ts';
import { readSettings } from '../profile/rig-files.ts';
import { projectRoot } from '../start/project-root.ts';
import { runtimeFolder } from '../start/runtime-folder.ts';

export type RigEnvironment = Readonly<Record<string, string | undefined>>;

/**
 * The variables of the services of this rig: those of `rig.env`, which PM2 gives them, under those of the caller. Never
 * throws: a stop must work where nothing is installed as it should be.
 */
export function rigEnvironment({ env, cwd }: Pick<Io, 'env' | 'cwd'>): RigEnvironment {
  const given = Object.entries(env).filter(([, value]) => value !== undefined && value !== '');
  return { ...settingsOf({ env, cwd }), ...Object.fromEntries(given) };
}

/** The same without the caller's: what this rig itself is; empty where it has no `rig.env`. Never throws. */
export function settingsOf({ env, cwd }: Pick<Io, 'env' | 'cwd'>): Readonly<Record<string, string>> {
  try {
    const root = projectRoot();
    return root === undefined ? {} : readSettings(runtimeFolder(root, env.RIG_RUNTIME_DIR, cwd));
  } catch {
    return {};
  }
}
