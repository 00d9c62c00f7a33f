import { convert } from '../../rig/units/units.ts';
import type { ParameterName } from '../program/instruction.ts';
import { RunFault } from '../rig/fault.ts';
import { type Limit, numberOf } from './limit.ts';
import type { RunContext } from './run-context.ts';

interface ParameterRule {
  /** Unit of the number that is used; a number without unit is in it already. */
  readonly unit: string;
  readonly whole?: boolean;
  readonly zero?: boolean;
  readonly initial: number | undefined;
}

/** LUNG_SPEED is in 1/10000 step/s. */
const RULES: Readonly<Record<ParameterName, ParameterRule>> = {
  PUMP_FLOW_FULL_SCALE_LPM: { unit: 'l/min', initial: undefined },
  LUNG_STEPS: { unit: 'steps', whole: true, initial: 500 },
  LUNG_SPEED: { unit: 'steps/s', whole: true, initial: 10_000_000 },
  LUNG_CYCLES: { unit: 'cycles', whole: true, initial: 5 },
  LUNG_PAUSE: { unit: 's', zero: true, initial: 0.5 },
  LUNG_STROKE_VOLUME: { unit: 'l', initial: undefined },
};

/** The number of a parameter. @throws RunFault SCN411 for a value that is none */
export function parameterValue(name: ParameterName, limit: Limit): number {
  const { unit, whole, zero } = RULES[name];
  const fail = (why: string) => new RunFault('SCN411', `${name} ${why}`, { scope: 'run' });
  let { value } = limit;
  if (limit.unit !== undefined) {
    const converted = convert(value, limit.unit, unit);
    if (converted === undefined) throw fail(`is in ${limit.unit}; use ${unit}`);
    value = name === 'LUNG_SPEED' ? converted * 10_000 : converted;
  }
  if (whole) value = Math.abs(value - Math.round(value)) < 1e-6 ? Math.round(value) : value;
  if (!Number.isFinite(value) || !(value > 0 || (zero && value === 0)))
    throw fail(`is ${value}; it must be above 0`);
  if (whole && !Number.isInteger(value)) throw fail(`is ${value}; it must be a whole number`);
  return value;
}

/** The parameter as set in the scenario or from outside, else its default; undefined without one. */
export function parameter(name: ParameterName, run: RunContext): number | undefined {
  const variable = run.variables.get(name);
  if (!variable) return RULES[name].initial;
  const number = numberOf(variable);
  if (!number)
    throw new RunFault('SCN411', `${name} is "${String(variable.value)}", not a number`, { scope: 'run' });
  return parameterValue(name, number);
}
