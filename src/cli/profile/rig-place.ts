import { existsSync } from 'node:fs';
import type { Io } from '../io/io.ts';
import { type Installation, installation } from '../start/installation.ts';
import { type RuntimeFolder, runtimeFolder } from '../start/runtime-folder.ts';
import { supervisorEnvironment } from '../start/service-environment.ts';
import { Supervisor } from '../start/supervisor.ts';
import { profilePath, readSettings, type Settings } from './rig-files.ts';

/** The rig that a command works on: where its files are and who supervises its processes. */
export interface RigPlace {
  folder: RuntimeFolder;
  settings: Settings;
  profileFile: string;
  installed: Installation;
  supervisor: Supervisor;
  io: Io;
}

/** @throws CliError `not_installed`; exit code 2 when RIG_RUNTIME_DIR cannot be used */
export function rigPlace(io: Io): RigPlace {
  const installed = installation();
  const folder = runtimeFolder(installed.root, io.env.RIG_RUNTIME_DIR, io.cwd);
  const settings = readSettings(folder);
  return {
    folder,
    settings,
    profileFile: profilePath(folder, settings),
    installed,
    supervisor: new Supervisor({
      installation: installed,
      folder,
      env: environment(io.env, folder),
      clock: io.clock,
    }),
    io,
  };
}

/**
 * Where this folder has no `svc.yaml` of its own, the services look for the machine's. PM2 stops the services of a
 * profile at the same time: they do not depend on each other.
 */
function environment(env: Io['env'], folder: RuntimeFolder): Record<string, string> {
  const { SVC_CONFIG_PATH, ...rest } = supervisorEnvironment(env, folder);
  const config = SVC_CONFIG_PATH !== undefined && existsSync(SVC_CONFIG_PATH) ? { SVC_CONFIG_PATH } : {};
  return { ...rest, ...config, PM2_CONCURRENT_ACTIONS: '2' };
}
