import type { Clock } from '../../lib/clock/clock.ts';

/** Ends unleased actuation: without another manual command within `holdMs` the rig is made safe (SVC_MANUAL_HOLD_S). */
export class ManualHold {
  readonly #clock: Clock;
  readonly #holdMs: number;
  readonly #onEnd: () => void;
  #cancel: (() => void) | undefined;
  /** Monotonic, milliseconds. */
  #endsAt = 0;

  constructor(options: { clock: Clock; holdMs: number; onEnd: () => void }) {
    this.#clock = options.clock;
    this.#holdMs = options.holdMs;
    this.#onEnd = options.onEnd;
  }

  get active(): boolean {
    return this.#cancel !== undefined;
  }

  /** Milliseconds until it ends; null while there is none. */
  get remainingMs(): number | null {
    return this.active ? Math.max(0, Math.round(this.#endsAt - this.#clock.monotonic())) : null;
  }

  /** A manual command was accepted: the time starts anew. */
  touch(): void {
    this.clear();
    this.#endsAt = this.#clock.monotonic() + this.#holdMs;
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
