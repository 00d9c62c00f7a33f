import { at, type Kinematics, type Path, restAt, secondsUntil } from './kinematics.ts';

/**
 * The twin's motor: a path and when it began. The counter is what the device counts; the shaft is where the motor
 * is, and does not jump when the counter is set.
 */
export class Axis {
  #path: Path = restAt(0);
  #beganMs: number;
  #shaftOfZero = 0;

  constructor(nowMs: number) {
    this.#beganMs = nowMs;
  }

  /** By the counter. */
  state(ms: number): Kinematics {
    return at(this.#path, (ms - this.#beganMs) / 1000);
  }

  shaft(ms: number): number {
    return this.state(ms).position + this.#shaftOfZero;
  }

  isMoving(ms: number): boolean {
    return ms < this.endMs || this.#path.end.velocity !== 0;
  }

  /** Infinity for a motion without an end. */
  get endMs(): number {
    return this.#beganMs + 1000 * this.#path.durationS;
  }

  follow(path: Path, ms: number): void {
    this.#path = path;
    this.#beganMs = ms;
  }

  halt(ms: number): void {
    this.follow(restAt(Math.round(this.state(ms).position)), ms);
  }

  /** Calls the place where the motor rests `counter`. */
  call(counter: number, ms: number): void {
    this.halt(ms);
    this.#shaftOfZero = this.shaft(ms) - counter;
    this.follow(restAt(counter), ms);
  }

  /** When the shaft passes `place`, later than `afterMs`. */
  passesMs(place: number, afterMs: number): number | undefined {
    const seconds = secondsUntil(this.#path, place - this.#shaftOfZero, (afterMs - this.#beganMs) / 1000);
    return seconds === undefined ? undefined : this.#beganMs + 1000 * seconds;
  }
}
