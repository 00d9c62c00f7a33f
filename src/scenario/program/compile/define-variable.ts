import type { Pos } from '../../source/position.ts';
import type { Value } from '../operand.ts';
import { type Scope, type Site, STATISTICS } from './scope.ts';

/** What the value of a variable comes from, as far as the text tells. */
interface Definition {
  /** Of SET and VAR; all others come up when the scenario runs. */
  readonly value?: Value;
  /** What SAVE stores: that may go by its own name. */
  readonly of?: string | undefined;
}

/** What a name stands for already, so that no variable may have it; undefined for a free one. */
export function reservedAs(
  name: string,
  { registry, names }: Pick<Scope, 'registry' | 'names'>,
  of?: string,
): string | undefined {
  const sensor = registry.sensor(name);
  if (sensor && sensor.id !== registry.sensor(of ?? '')?.id) return 'a sensor of the rig';
  if (registry.peripheral(name)) return 'an actuator of the rig';
  if (/^timer$/i.test(name)) return 'the goal timer';
  if (name === of) return undefined;
  if (name === 'ITER') return 'the counter of LOOP';
  const isOfSensor = STATISTICS.test(name) && registry.sensor(name.replace(STATISTICS, '')) !== undefined;
  return isOfSensor || names.isStatistic(name) ? 'a statistic of SAMPLE' : undefined;
}

/**
 * Reports a name that no variable of the text can have, because it would hide what has it already (SCN258).
 * @returns true for a free name
 */
export function checkFree(name: string, pos: Pos, scope: Scope, site: Site, of?: string): boolean {
  const taken = reservedAs(name, scope, of);
  if (taken !== undefined)
    site.report('SCN258', `"${name}" is ${taken}, so it cannot name a variable; choose another name`, pos);
  return taken === undefined;
}

/** Takes over a name that SET, VAR, SAVE, CALC, PROMPT and their like define. */
export function defineVariable(
  name: string,
  pos: Pos,
  scope: Scope,
  site: Site,
  { value, of }: Definition = {},
): void {
  if (name.includes('$')) return;
  checkFree(name, pos, scope, site, of);
  if (value) scope.names.assign(name, value);
  else scope.names.define(name);
  if (!site.definition) scope.names.reach(name);
}
