import { parseValveWord } from '../../rig/actuators/valve-word.ts';
import type { Limits } from '../../rig/configuration/types.ts';
import type { Peripheral, Registry } from '../../rig/registry/registry.ts';
import { formatNumber } from '../values/number.ts';
import type { AbstractValue, Alternatives, NumberRange } from './abstract-value.ts';
import { type Effect, OFF, ON, type Setpoint } from './effect.ts';
import type { Environment } from './environment.ts';
import { lungSetpoint } from './lung-setpoint.ts';
import { pumpSetpoint } from './pump-setpoint.ts';

export interface SetpointContext {
  readonly registry: Registry;
  readonly limits: Limits;
  readonly variables: Environment;
}

/** What SET may do to an actuator. `target` is its name as written, for the messages. */
export function setpointOf(
  peripheral: Peripheral,
  target: string,
  values: Alternatives,
  context: SetpointContext,
): Setpoint {
  switch (peripheral.kind) {
    case 'pump':
      return pumpSetpoint(peripheral, target, values, context);
    case 'lung':
      return lungSetpoint(target, values, context);
    case 'valve':
      return { effects: distinct(values.flatMap(valveEffects)), problems: [] };
    case 'other':
      return { effects: distinct(values.flatMap(otherEffects)), problems: [] };
  }
}

const distinct = (effects: readonly Effect[]): Effect[] => [...new Set(effects)];

function valveEffects(value: AbstractValue): readonly Effect[] {
  if (value.kind === 'any') return [ON, OFF];
  if (value.kind === 'unset') return [];
  if (value.kind === 'text') return stateOfWord(value.text);
  // A number with a unit is not a state of a valve; one of which that is not known may be without.
  if (value.knowledge === 'exact' && value.unit !== undefined)
    return value.low === value.high ? stateOfWord(`${formatNumber(value.low)} ${value.unit}`) : [];
  return [...(contains(value, 1) ? [ON] : []), ...(contains(value, 0) ? [OFF] : [])];
}

function stateOfWord(word: string): readonly Effect[] {
  const open = parseValveWord(word);
  return open === undefined ? [] : [open ? ON : OFF];
}

/** A peripheral without driver is active unless it is set to 0 or to a word for off. */
function otherEffects(value: AbstractValue): readonly Effect[] {
  if (value.kind === 'any') return [ON, OFF];
  if (value.kind === 'unset') return [];
  if (value.kind === 'text') return [parseValveWord(value.text) === false ? OFF : ON];
  return [...(value.low === 0 && value.high === 0 ? [] : [ON]), ...(contains(value, 0) ? [OFF] : [])];
}

const contains = ({ low, high }: NumberRange, number: number): boolean => low <= number && number <= high;
