import { ConfigError, type ConfigFault } from '../../lib/config/config-error.ts';
import { testCoilOf } from '../guard/test-coil.ts';
import type { Interlock } from '../interlocks/interlock.ts';
import { interlocksOf } from '../interlocks/interlocks-of.ts';
import type { Registry } from '../registry/registry.ts';
import { registryOf } from '../registry/registry-of.ts';
import type { FileConfig } from './file-schema.ts';
import { type ConfigSources, loadConfig } from './load-config.ts';
import { nameFaults } from './name-faults.ts';
import type { Config } from './types.ts';

/** A configuration whose names all mean something on its rig. */
export interface RigConfig {
  config: Config;
  /** The file; undefined where there is none and the defaults hold. */
  path: string | undefined;
  /** What the file says by itself. */
  file: FileConfig;
  registry: Registry;
  interlocks: readonly Interlock[];
}

/**
 * The configuration as every program of the rig reads it: file, environment on top, names checked against the rig.
 * @throws ConfigError naming every fault with path, value and remedy
 */
export function loadRigConfig(sources: ConfigSources): RigConfig {
  const { config, path, file } = loadConfig(sources);
  return { path, file, ...checkedRig(config, path) };
}

/** @param source file for messages. @throws ConfigError */
export function checkedRig(config: Config, source = 'svc.yaml'): Omit<RigConfig, 'path' | 'file'> {
  const registry = registryOf(config);
  let interlocks: readonly Interlock[] = [];
  const faults = [
    ...nameFaults(config),
    ...faultsOf(() => {
      interlocks = interlocksOf(config.interlocks, registry);
    }),
    ...faultsOf(() => testCoilOf(config)),
  ];
  if (faults.length > 0) throw new ConfigError(source, faults);
  return { config, registry, interlocks };
}

function faultsOf(check: () => unknown): readonly ConfigFault[] {
  try {
    check();
    return [];
  } catch (thrown) {
    if (thrown instanceof ConfigError) return thrown.faults;
    throw thrown;
  }
}
