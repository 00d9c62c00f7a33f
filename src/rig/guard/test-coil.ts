import { ConfigError } from '../../lib/config/config-error.ts';
import type { Config } from '../configuration/types.ts';
import { VALVE_IDS } from '../hardware/names.ts';
import type { Registry } from '../registry/registry.ts';
import { registryOf } from '../registry/registry-of.ts';

/**
 * The relay with nothing wired to it that `guard.test_coil` names, 0..7; undefined when there is none. One whose valve has
 * a name for what it does, or stands in an interlock, is in use.
 * @throws ConfigError
 */
export function testCoilOf(config: Config): number | undefined {
  const { testCoil } = config;
  if (testCoil === undefined) return undefined;
  const registry = registryOf(config);
  const users = (coil: number) => usersOf(coil, config, registry);
  const used = users(testCoil);
  if (used.length === 0) return testCoil;
  const free = VALVE_IDS.flatMap((_, coil) => (users(coil).length === 0 ? [coil] : []));
  const remedy = free.length > 0 ? `one of ${free.join(', ')} is free` : 'none is free, leave the key out';
  const message = `this relay is in use: ${VALVE_IDS[testCoil]} is ${used.join(', ')}; ${remedy}. Nothing may be wired to it`;
  throw new ConfigError('svc.yaml', [{ path: 'guard.test_coil', value: String(testCoil), message }]);
}

function usersOf(coil: number, { interlocks }: Config, registry: Registry): string[] {
  const isIt = (name: string) => registry.peripheral(name)?.id === VALVE_IDS[coil];
  // These say the number of a valve, not what it does.
  const numbers = [`valve-${coil + 1}`, `zawor-${coil + 1}`];
  const names = registry.peripheralNames().filter((name) => isIt(name) && !numbers.includes(name));
  const rules = interlocks.filter((rule) => Object.keys({ ...rule.while, ...rule.states }).some(isIt));
  return [...names, ...rules.map((rule) => `in the interlock ${rule.id}`)];
}
