import type { Pos } from '../../source/position.ts';
import type { Scope, Site } from './scope.ts';

/**
 * Takes over a name that VAR, SAVE, CALC and their like define. One that names a sensor, a clock or an actuator would
 * hide it, and is an error (SCN258).
 * @param of the sensor that is saved under its own name
 */
export function defineVariable(name: string, pos: Pos, scope: Scope, site: Site, of?: string): void {
  if (name.includes('$')) return;
  const sensor = scope.registry.sensor(name);
  const kind = /^timer$/i.test(name)
    ? 'the clock of the goal'
    : sensor && sensor.id !== scope.registry.sensor(of ?? '')?.id
      ? 'a sensor'
      : scope.registry.peripheral(name)
        ? 'an actuator'
        : undefined;
  if (kind !== undefined)
    site.report(
      'SCN258',
      `"${name}" is the name of ${kind}, and no variable can have it; choose another name`,
      pos,
    );
  scope.names.define(name);
  if (!site.definition) scope.names.reach(name);
}
