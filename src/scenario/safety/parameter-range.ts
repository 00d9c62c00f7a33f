import type { ParameterName } from '../program/instruction.ts';
import { asNumber, convertRange } from './abstract-value.ts';
import type { Environment } from './environment.ts';

/** From `low` to `high`, both included; always above or at 0. */
export interface Range {
  readonly low: number;
  readonly high: number;
}

interface Rule {
  /** Unit of the number that is used. */
  readonly unit: string;
  /** What one of that unit is in the number that is sent. */
  readonly factor: number;
  readonly initial: number | undefined;
}

/** LUNG_SPEED is in 1/10000 step/s. */
const RULES: Readonly<Record<ParameterName, Rule>> = {
  PUMP_FLOW_FULL_SCALE_LPM: { unit: 'l/min', factor: 1, initial: undefined },
  LUNG_STEPS: { unit: 'steps', factor: 1, initial: 500 },
  LUNG_SPEED: { unit: 'steps/s', factor: 10_000, initial: 10_000_000 },
  LUNG_CYCLES: { unit: 'cycles', factor: 1, initial: 5 },
  LUNG_PAUSE: { unit: 's', factor: 1, initial: 0.5 },
  LUNG_STROKE_VOLUME: { unit: 'l', factor: 1, initial: undefined },
};

/**
 * What a parameter of the actuators may be where it is used. The interpreter refuses numbers that are not above 0, so
 * they do not count.
 * @param initial where nothing sets it; undefined for an error in that case
 * @returns undefined when using it is an error in any case
 */
export function parameterRange(
  name: ParameterName,
  variables: Environment,
  initial = RULES[name].initial,
): Range | undefined {
  const { unit, factor } = RULES[name];
  const ranges = variables.get(name).flatMap((one): Range[] => {
    if (one.kind === 'unset') return initial === undefined ? [] : [{ low: initial, high: initial }];
    const number = asNumber(one);
    if (!number) return [];
    if (number.knowledge === 'none') return [{ low: 0, high: Number.POSITIVE_INFINITY }];
    if (number.unit === undefined) return [number];
    const converted = convertRange(number, unit);
    return converted ? [{ low: converted.low * factor, high: converted.high * factor }] : [];
  });
  const valid = ranges.filter(({ high }) => high >= 0);
  if (valid.length === 0) return undefined;
  return {
    low: Math.max(0, Math.min(...valid.map(({ low }) => low))),
    high: Math.max(...valid.map(({ high }) => high)),
  };
}
