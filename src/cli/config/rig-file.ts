import { existsSync, statSync } from 'node:fs';
import { ConfigError } from '../../lib/config/config-error.ts';
import { loadRigConfig, type RigConfig } from '../../rig/configuration/load-rig-config.ts';
import type { RigPlace } from '../profile/rig-place.ts';

/**
 * The configuration that the services of a rig read when they are started now. A device whose entry cannot be used is a fault here,
 * while the services show it as `config_error` and go on.
 * @throws ConfigError
 */
export function rigFile({ io, folder, settings, installed }: RigPlace): RigConfig {
  const own = existsSync(folder.config) ? folder.config : io.env.SVC_CONFIG_PATH;
  const path = settings.SVC_CONFIG_PATH ?? own;
  return requireUsable(
    loadRigConfig({
      env: { ...settings, ...(path === undefined ? {} : { SVC_CONFIG_PATH: path }) },
      cwd: installed.root,
    }),
  );
}

/** @throws ConfigError for a device that could not be opened as it is written */
export function requireUsable(loaded: RigConfig): RigConfig {
  const faults = loaded.config.plugins.flatMap(({ id, fault }) =>
    fault === undefined ? [] : [{ path: `plugins.${id}`, value: null, message: fault }],
  );
  if (faults.length > 0) throw new ConfigError(loaded.path ?? 'svc.yaml', faults);
  return loaded;
}

/** When the file was changed last, wall clock in milliseconds; undefined where there is none. */
export const changedAt = (path: string | undefined): number | undefined =>
  path !== undefined && existsSync(path) ? statSync(path).mtimeMs : undefined;
