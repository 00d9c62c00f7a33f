import type { Measure } from '../../rig/units/amount.ts';
import type { Variable } from '../events/event.ts';
import { formatNumber } from '../values/number.ts';
import { parseQuantity } from '../values/quantity.ts';
import { shownNumber } from '../values/shown-number.ts';

/** A variable with what a dry-run has to know about it. */
export interface StoredVariable extends Variable {
  /** Dry-run: follows from chosen readings only, so that another value would do as well. */
  readonly free: boolean;
  /** Absent: written down, so that it stands for what it is used with. */
  readonly measure?: Measure | undefined;
  /** The value in a unit that only the calibration of its sensor leads to. @throws RunFault SCN227, SCN240, SCN402 */
  readonly recompute?: ((unit: string) => number) | undefined;
}

const STATISTIC = /\.(count|min|max|avg|last|stddev|first|delta)$/;

/** The variables of a run. Names are case-sensitive, but not the sensor in `<sensor>.avg`. */
export class Variables {
  readonly #values = new Map<string, StoredVariable>();
  /** Why a statistic was not set. */
  readonly #missing = new Map<string, string>();

  get(name: string): StoredVariable | undefined {
    const hit = this.#values.get(name);
    if (hit || !STATISTIC.test(name)) return hit;
    const wanted = name.toLowerCase();
    for (const [key, value] of this.#values) if (key.toLowerCase() === wanted) return value;
    return undefined;
  }

  has(name: string): boolean {
    return this.get(name) !== undefined;
  }

  set(name: string, variable: StoredVariable): void {
    this.#values.set(name, variable);
  }

  /** Notes why a statistic has no value. */
  setMissing(name: string, why: string): void {
    this.#values.delete(name);
    this.#missing.set(name.toLowerCase(), why);
  }

  /** Why a variable has no value, for errors. */
  whyUnset(name: string): string {
    const why = this.#missing.get(name.toLowerCase());
    return why === undefined ? `the variable ${name} is not set` : `${name} has no value: ${why}`;
  }

  /** Forgets the statistics of an earlier window: an old value is no value of this one. */
  forgetStatistics(sensor: string): void {
    for (const key of [...this.#values.keys()])
      if (STATISTIC.test(key) && key.replace(STATISTIC, '') === sensor) this.#values.delete(key);
    const prefix = `${sensor.toLowerCase()}.`;
    for (const key of [...this.#missing.keys()]) if (key.startsWith(prefix)) this.#missing.delete(key);
  }

  /** Text of a variable in interpolation; undefined for an unknown name. */
  text(name: string): string | undefined {
    const variable = this.get(name);
    return variable && textOf(variable.value);
  }

  /** As {@link text}, for people: a number without the noise of its calculation. */
  shownText(name: string): string | undefined {
    const value = this.get(name)?.value;
    return value === undefined ? undefined : typeof value === 'number' ? shownNumber(value) : textOf(value);
  }

  toRecord(): Record<string, Variable> {
    const record: Record<string, Variable> = Object.create(null);
    for (const [name, { value, unit, simulated }] of this.#values)
      record[name] = {
        value,
        ...(unit === undefined ? {} : { unit }),
        ...(simulated === undefined ? {} : { simulated }),
      };
    return record;
  }
}

export function textOf(value: Variable['value']): string {
  if (typeof value === 'number') return formatNumber(value);
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** A variable given from outside: a text that is a quantity is one. */
export type GivenVariable =
  | string
  | number
  | boolean
  | { readonly value: number | string | boolean | object; readonly unit?: string };

export function givenVariable(given: GivenVariable): StoredVariable {
  const { value, unit } =
    typeof given === 'object' ? { unit: undefined, ...given } : { value: given, unit: undefined };
  const quantity = typeof value === 'string' ? parseQuantity(value) : undefined;
  const isPlain = quantity !== undefined && (unit === undefined || quantity.unit === undefined);
  const read = isPlain ? { unit, ...quantity } : { value, unit };
  return {
    value: read.value,
    ...(read.unit === undefined ? {} : { unit: read.unit }),
    free: false,
  };
}
