import type { Registry } from '../../rig/registry/registry.ts';
import type { Measure } from '../../rig/units/amount.ts';
import type { Variable } from '../events/event.ts';
import { formatNumber } from '../values/number.ts';
import { parseQuantity } from '../values/quantity.ts';
import { shownNumber } from '../values/shown-number.ts';

/** A variable with what conversions need. */
export interface StoredVariable extends Variable {
  /** Absent: written down, so that it stands for what it is used with. */
  readonly measure?: Measure | undefined;
  /** The value in a unit that only the calibration of its sensor leads to. @throws RunFault SCN227, SCN240, SCN402 */
  readonly recompute?: ((unit: string) => number) | undefined;
  /** SAVE took it from a reading: SAVE of the same name takes the next one. */
  readonly isSavedReading?: boolean | undefined;
}

/** What SAMPLE leaves behind as `<sensor>.<name>`. */
export const STATISTICS = ['count', 'min', 'max', 'avg', 'last', 'stddev', 'first', 'delta'] as const;

const STATISTIC = new RegExp(`\\.(${STATISTICS.join('|')})$`);

interface Named {
  /** As it was set last. */
  readonly name: string;
  readonly variable: StoredVariable;
}

/** The variables of a run. Names are case-sensitive; the sensor in `<sensor>.avg` goes by each of its names. */
export class Variables {
  readonly #registry: Pick<Registry, 'sensor'>;
  /** By key. */
  readonly #values = new Map<string, Named>();
  /** Why a statistic was not set, by key. */
  readonly #missing = new Map<string, string>();

  constructor(registry: Pick<Registry, 'sensor'>) {
    this.#registry = registry;
  }

  /** What identifies a variable, however it is called. */
  keyOf(name: string): string {
    const [statistic] = STATISTIC.exec(name) ?? [];
    if (statistic === undefined) return name;
    const sampled = name.slice(0, -statistic.length);
    return `${this.#registry.sensor(sampled)?.id ?? sampled.toLowerCase()}${statistic}`;
  }

  get(name: string): StoredVariable | undefined {
    return this.#values.get(this.keyOf(name))?.variable;
  }

  has(name: string): boolean {
    return this.get(name) !== undefined;
  }

  set(name: string, variable: StoredVariable): void {
    this.#values.set(this.keyOf(name), { name, variable });
  }

  /** Notes why a statistic has no value. */
  setMissing(name: string, why: string): void {
    this.#values.delete(this.keyOf(name));
    this.#missing.set(this.keyOf(name), why);
  }

  /** Why a variable has no value, for errors. */
  whyUnset(name: string): string {
    const why = this.#missing.get(this.keyOf(name));
    return why === undefined ? `the variable ${name} is not set` : `${name} has no value: ${why}`;
  }

  /** Forgets the statistics of an earlier window: an old value is not a value of this one. */
  forgetStatistics(sampled: string): void {
    for (const statistic of STATISTICS) {
      const key = this.keyOf(`${sampled}.${statistic}`);
      this.#values.delete(key);
      this.#missing.delete(key);
    }
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
    for (const { name, variable } of this.#values.values()) {
      const { value, unit, simulated } = variable;
      record[name] = {
        value,
        ...(unit === undefined ? {} : { unit }),
        ...(simulated === undefined ? {} : { simulated }),
      };
    }
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
  return { value: read.value, ...(read.unit === undefined ? {} : { unit: read.unit }) };
}
