import type * as z from 'zod';
import { bcdOf, type ticKnobsSchema } from './knobs.ts';
import type { Direction } from './requests.ts';
import type { Axis } from './twin-axis.ts';

const LIMITS_SINCE = bcdOf('1.06');

export const signOf = (direction: Direction) => (direction === 'forward' ? 1 : -1);

/** The twin's two limit switches: held down by a knob, or by a shaft that is at their place. */
export class Switches {
  readonly #knobs: () => z.output<typeof ticKnobsSchema>;

  constructor(knobs: () => z.output<typeof ticKnobsSchema>) {
    this.#knobs = knobs;
  }

  /** Whether the firmware knows them. */
  get areKnown(): boolean {
    return bcdOf(this.#knobs().firmware) >= LIMITS_SINCE;
  }

  /** @param shaft place of the motor, microsteps */
  isDown(direction: Direction, shaft: number): boolean {
    if (!this.areKnown) return false;
    const { forward_limit, reverse_limit } = this.#knobs();
    if (direction === 'forward' ? forward_limit : reverse_limit) return true;
    const place = this.#placeOf(direction);
    return place !== null && signOf(direction) * (shaft - place) > -0.5;
  }

  /** When a switch is reached or left by a motion under way, monotonic milliseconds. */
  crossingsMs(axis: Axis, nowMs: number): number[] {
    return (['forward', 'reverse'] as const).flatMap((direction) => {
      const place = this.#placeOf(direction);
      if (place === null) return [];
      // It is down from half a step before its place; on either side of that, so that rounding cannot matter.
      const points = [-0.4, -0.6].map((offset) => place + signOf(direction) * offset);
      return points.flatMap((point) => axis.passesMs(point, nowMs) ?? []);
    });
  }

  #placeOf(direction: Direction): number | null {
    const { forward_limit_at, reverse_limit_at } = this.#knobs();
    return direction === 'forward' ? forward_limit_at : reverse_limit_at;
  }
}
