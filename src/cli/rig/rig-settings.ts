import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { DEFAULT_LIMITS, type Limits } from '../../rig/configuration/types.ts';
import type { Interlock } from '../../rig/interlocks/interlock.ts';
import { Registry } from '../../rig/registry/registry.ts';
import type { Io } from '../io/io.ts';

/** What `svc.yaml` and the environment say about the rig. */
export interface RigSettings {
  readonly registry: Registry;
  /** Execute runs refuse bench and simulated data. */
  readonly requireReal: boolean;
  /** Bounds of setpoints and of a run. */
  readonly limits: Limits;
  /** Rules between actuators. */
  readonly interlocks: readonly Interlock[];
}

const SYSTEM_PATH = '/etc/svc/svc.yaml';

/**
 * The rig as configured on this machine. Without a configuration file nothing of the YAML reader is loaded, which
 * is most of the start-up time.
 * @throws ConfigError exit code 2
 */
export async function rigSettings({ env, cwd }: Pick<Io, 'env' | 'cwd'>): Promise<RigSettings> {
  const configured =
    env.SVC_CONFIG_PATH ||
    env.SVC_PUMP_FLOW_FULL_SCALE_LPM ||
    existsSync(resolve(cwd, 'svc.yaml')) ||
    existsSync(SYSTEM_PATH);
  if (!configured)
    return { registry: new Registry(), requireReal: false, limits: DEFAULT_LIMITS, interlocks: [] };
  const { loadRigConfig } = await import('../../rig/configuration/load-rig-config.ts');
  const { config, registry, interlocks } = loadRigConfig({ env, cwd, systemPath: SYSTEM_PATH });
  const { requireReal, limits } = config;
  return { registry, requireReal, limits, interlocks };
}
