import { comparable } from '../../../rig/units/units.ts';
import type { Value } from '../operand.ts';

type Quantity = Extract<Value, { kind: 'quantity' }>;

/** What is known of variables without running: those that only ever get quantities by SET and VAR. */
export class VariableValues {
  readonly #assigned = new Map<string, Quantity[]>();
  readonly #computed = new Set<string>();

  /** Its value comes up when the scenario runs, or from outside. */
  compute(name: string): void {
    this.#computed.add(name);
  }

  assign(name: string, value: Value): void {
    if (value.kind !== 'quantity') return this.compute(name);
    const all = this.#assigned.get(name) ?? [];
    all.push(value);
    this.#assigned.set(name, all);
  }

  /** The quantity in a variable; of one that gets several in one dimension the unit; else the value as it is. */
  known(value: Value): Value {
    if (value.kind !== 'variable' || value.unit !== undefined || this.#computed.has(value.name)) return value;
    const [first, ...rest] = this.#assigned.get(value.name) ?? [];
    if (!first) return value;
    if (rest.every((one) => one.value === first.value && one.unit === first.unit)) return first;
    const { unit } = first;
    if (unit === undefined || !rest.every((one) => one.unit !== undefined && comparable(one.unit, unit)))
      return value;
    return { ...value, unit };
  }
}
