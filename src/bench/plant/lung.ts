import type { Clock } from '../../lib/clock/clock.ts';
import type { Seconds } from '../../lib/quantity.ts';

export interface LungMotion {
  /** Steps of one stroke. */
  steps: number;
  /** Steps per second. */
  speed: number;
  /** Strokes out and back; 0 or undefined for no end. */
  cycles?: number | undefined;
  /** Pause at each end, seconds. */
  pauseS?: Seconds | undefined;
}

export interface LungState {
  running: boolean;
  /** Steps from where the motion began. */
  position: number;
  /** Whole strokes out and back so far. */
  cyclesDone: number;
}

/** An artificial lung that goes out and back at constant speed. Its position follows from the time alone. */
export class Lung {
  readonly #clock: Clock;
  #motion: { steps: number; speed: number; cycles: number; pauseS: Seconds } | undefined;
  #startedAtMs = 0;
  #rest: LungState = { running: false, position: 0, cyclesDone: 0 };

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** @throws RangeError for a motion that cannot be made */
  start(motion: LungMotion): void {
    const { steps, speed, cycles = 0, pauseS = 0 } = motion;
    if (!(steps > 0) || !(speed > 0) || !(cycles >= 0) || !(pauseS >= 0)) {
      throw new RangeError(
        `lung motion of ${steps} steps at ${speed}/s, ${cycles} cycles, pause ${pauseS} s`,
      );
    }
    this.#motion = { steps, speed, cycles, pauseS };
    this.#startedAtMs = this.#clock.monotonic();
  }

  stop(): void {
    this.#rest = { ...this.state(), running: false };
    this.#motion = undefined;
  }

  motion(): { position: number; velocity: number } {
    return { position: this.state().position, velocity: this.#velocity() };
  }

  /** A normal end also de-energizes. */
  isEnergized(): boolean {
    return this.state().running;
  }

  /** It does not look at its supply. */
  supplyChanged(): void {}

  state(): LungState {
    const motion = this.#motion;
    if (!motion) return this.#rest;
    const { steps, speed, cycles, pauseS } = motion;
    const strokeS = steps / speed;
    const periodS = 2 * (strokeS + pauseS);
    const elapsedS = (this.#clock.monotonic() - this.#startedAtMs) / 1000;
    if (cycles > 0 && elapsedS >= cycles * periodS)
      return { running: false, position: 0, cyclesDone: cycles };
    const cyclesDone = Math.floor(elapsedS / periodS);
    const inCycleS = elapsedS - cyclesDone * periodS;
    const isReturning = inCycleS >= strokeS + pauseS;
    const inStroke = Math.min(1, (isReturning ? inCycleS - strokeS - pauseS : inCycleS) / strokeS);
    const position = Math.round(steps * (isReturning ? 1 - inStroke : inStroke));
    return { running: true, position, cyclesDone };
  }
  /** Steps per second, positive on the way out, 0 in the pauses. */
  #velocity(): number {
    const motion = this.#motion;
    if (!motion || !this.state().running) return 0;
    const { steps, speed, pauseS } = motion;
    const strokeS = steps / speed;
    const inCycleS = ((this.#clock.monotonic() - this.#startedAtMs) / 1000) % (2 * (strokeS + pauseS));
    if (inCycleS < strokeS) return speed;
    const returningS = inCycleS - strokeS - pauseS;
    return returningS >= 0 && returningS < strokeS ? -speed : 0;
  }
}
