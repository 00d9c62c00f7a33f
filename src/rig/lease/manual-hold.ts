import type { Clock } from '../../lib/clock/clock.ts';

/** Ends unleased actuation: without another manual command within `holdMs` the rig is made safe (SVC_MANUAL_HOLD_S). */
export class ManualHold {
  readonly #clock: Clock;
  readonly #holdMs: number;
  readonly #onEnd: () => void;
  #cancel: (() => void) | undefined;

  constructor(options: { clock: Clock; holdMs: number; onEnd: () => void }) {
    this.#clock = options.clock;
    this.#holdMs = options.holdMs;
    this.#onEnd = options.onEnd;
  }

  get active(): boolean {
    return this.#cancel !== undefined;
  }

  /** A manual command was accepted: the time starts anew. */
  touch(): void {
    this.clear();
    this.#cancel = this.#clock.after(this.#holdMs, () => {
      this.#cancel = undefined;
      this.#onEnd();
    });
  }

  /** A lease took over, or the rig is safe. */
  clear(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }
}
