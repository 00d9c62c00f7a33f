import { normalName } from '../../rig/registry/name.ts';
import type { Registry } from '../../rig/registry/registry.ts';
import type { GivenSensor } from '../interpreter-options.ts';
import { RunFault } from '../rig/fault.ts';
import { parseQuantity, type Quantity } from '../values/quantity.ts';

function quantityOf(given: GivenSensor): Quantity | undefined {
  if (typeof given === 'number') return Number.isFinite(given) ? { value: given } : undefined;
  if (typeof given === 'string') return parseQuantity(given);
  return Number.isFinite(given.value) ? given : undefined;
}

/** The readings that were given for a dry-run, by sensor, timer or unknown name. */
export class GivenSensors {
  /** Why nothing may run with them. */
  readonly refusal: RunFault | undefined;
  readonly #registry: Registry;
  readonly #quantities = new Map<string, Quantity>();

  constructor(sensors: Readonly<Record<string, GivenSensor>>, registry: Registry) {
    this.#registry = registry;
    for (const [name, given] of Object.entries(sensors)) {
      const quantity = quantityOf(given);
      if (quantity) this.#quantities.set(this.#key(name), quantity);
      else
        this.refusal ??= new RunFault(
          'SCN125',
          `the value of sensor ${name}, ${JSON.stringify(given)}, is not a number with an optional unit`,
        );
    }
  }

  #key(name: string): string {
    return this.#registry.sensor(name)?.id ?? normalName(name);
  }

  of(name: string): Quantity | undefined {
    return this.#quantities.get(this.#key(name));
  }
}
