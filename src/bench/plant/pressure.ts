import type { Seconds } from '../../lib/quantity.ts';
import { ofInput, type PlantParameters } from './parameters.ts';

/** Where a pressure is heading and how fast. `rate` is in 1/s; 0 means that it stays where it is. */
export interface Course {
  target: number;
  rate: number;
}

/**
 * The pressure p behind one valve, in volts above rest, with pump duty d:
 *
 *     nothing mounted, open    dp/dt = (gain d - p) / tau
 *     nothing mounted, closed  dp/dt = -p / tau
 *     mask mounted, open       dp/dt = (gain d - p) / tau - leak p
 *     mask mounted, closed     dp/dt = -leak p
 *
 * The first two are first-order lags. The other two are one chamber of fixed volume with a leak
 * to the room whose flow is proportional to the pressure: a leaking mask fills less far, and loses exponentially
 * what the closed valve holds in. That is what a leak test measures.
 *
 * @param input 0..3 for ai01..ai04
 */
export function courseOf(
  parameters: PlantParameters,
  input: number,
  valveOpen: boolean,
  duty: number,
): Course {
  const supplyRate = 1 / parameters.tau_s;
  const leak = ofInput(parameters.leak, input);
  if (leak === null) return { target: valveOpen ? parameters.gain * duty : 0, rate: supplyRate };
  if (!valveOpen) return { target: 0, rate: leak };
  const rate = supplyRate + leak;
  return { target: (parameters.gain * duty * supplyRate) / rate, rate };
}

/** The pressure after `seconds` on a course; exact, whatever the length of the step. */
export function follow(course: Course, from: number, seconds: Seconds): number {
  return course.target + (from - course.target) * Math.exp(-course.rate * seconds);
}
