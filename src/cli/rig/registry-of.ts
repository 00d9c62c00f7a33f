import type { Config } from '../../lib/config/types.ts';
import { interlocksOf } from '../../rig/interlocks/interlocks-of.ts';
import type { Registry } from '../../rig/registry/registry.ts';
import { registryOf as namesOf } from '../../rig/registry/registry-of.ts';

/**
 * The names a scenario may use on the configured rig. A rule between actuators that cannot be kept is told here too, not
 * only when the bridge starts.
 * @throws ConfigError
 */
export function registryOf(config: Config): Registry {
  const registry = namesOf(config);
  interlocksOf(config.interlocks, registry);
  return registry;
}
