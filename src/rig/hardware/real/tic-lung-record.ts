import type { StrokeRun } from '../../../devices/tic/strokes.ts';

/** What is known of the lung's motions beyond one opening of its port. */
export class LungRecord {
  /**
   * Whether the coils may have current: set before anything is sent that gives it, and after that by what the device
   * itself says.
   */
  mayHaveCurrent = false;
  /** Why the last motion did not end as it should. */
  lastMotionError: string | null = null;
  #cycles = 0;
  #run: StrokeRun | undefined;

  /** @param cycles of the run; 0 for a motion that has none */
  begins(cycles: number): void {
    this.mayHaveCurrent = true;
    this.lastMotionError = null;
    this.#cycles = cycles;
    this.#run = undefined;
  }

  runs(run: StrokeRun): void {
    this.#run = run;
  }

  get cyclesDone(): number {
    return this.#run?.cyclesDone ?? 0;
  }

  /** Of the last order, also when it could not be begun. */
  get cyclesTotal(): number {
    return this.#cycles;
  }
}
