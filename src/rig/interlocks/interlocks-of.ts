import { ConfigError, type ConfigFault } from '../../lib/config/config-error.ts';
import type { InterlockEntry } from '../configuration/types.ts';
import type { Registry } from '../registry/registry.ts';
import { type Interlock, interlockOf, isBroken } from './interlock.ts';
import { nearNames } from './near-names.ts';

/**
 * The rules of the configuration for this rig. A rule that the safe state itself would break cannot be kept and is
 * refused, as is a name that is not a pump, valve or lung of the rig.
 * @throws ConfigError with all faults
 */
export function interlocksOf(entries: readonly InterlockEntry[], registry: Registry): Interlock[] {
  const faults = entries.flatMap((entry, index) => nameFaults(entry, `interlocks.${index}`, registry));
  if (faults.length > 0) throw new ConfigError('svc.yaml', faults);
  const interlocks = entries.map((entry) => interlockOf(entry, registry));
  const unkept = interlocks.flatMap((interlock, index) =>
    isBroken(interlock, () => false) ? [safeStateFault(interlock, index)] : [],
  );
  if (unkept.length > 0) throw new ConfigError('svc.yaml', unkept);
  return interlocks;
}

function nameFaults(entry: InterlockEntry, path: string, registry: Registry): ConfigFault[] {
  const demand = `${path}.require_${entry.require}`;
  const seen = new Map<string, string>();
  const names = [
    ...Object.keys(entry.while).map((name) => [name, `${path}.while.${name}`] as const),
    ...Object.keys(entry.states).map((name) => [name, `${demand}.${name}`] as const),
  ];
  return names.flatMap(([name, place]): ConfigFault[] => {
    const peripheral = registry.peripheral(name);
    if (peripheral === undefined || peripheral.kind === 'other')
      return [{ path: place, value: null, message: noActuator(name, registry) }];
    const before = seen.get(peripheral.id);
    seen.set(peripheral.id, place);
    if (before === undefined) return [];
    return [
      { path: place, value: null, message: `${peripheral.id} stands in ${before} already; name it once` },
    ];
  });
}

function noActuator(name: string, registry: Registry): string {
  const actuators = registry.peripheralNames().filter((one) => registry.peripheral(one)?.kind !== 'other');
  const near = nearNames(name, actuators);
  const remedy =
    near.length > 0 ? `did you mean ${near.join(' or ')}?` : 'use pump-main, lung-main or valve-1..8';
  return `${name} is not an actuator of the rig; ${remedy}`;
}

const safeStateFault = ({ id }: Interlock, index: number): ConfigFault => ({
  path: `interlocks.${index}`,
  value: null,
  message: `the rule ${id} is broken when all is off and closed, so no safe state could keep it; begin with what is on, open or moving`,
});
