import { parseQuantity, type Quantity } from '../values/quantity.ts';
import type { GivenSensor, InterpreterOptions } from './options.ts';

/** The quantity in a value of `--sensor`; undefined when it is none. */
export function quantityOf(given: GivenSensor): Quantity | undefined {
  if (typeof given === 'number') return Number.isFinite(given) ? { value: given } : undefined;
  if (typeof given === 'string') return parseQuantity(given);
  return Number.isFinite(given.value) ? given : undefined;
}

/** The readable ones of the values given for sensors. */
export function givenSensors(sensors: InterpreterOptions['sensors']): Map<string, Quantity> {
  const given = new Map<string, Quantity>();
  for (const [name, value] of Object.entries(sensors ?? {})) {
    const quantity = quantityOf(value);
    if (quantity) given.set(name, quantity);
  }
  return given;
}
