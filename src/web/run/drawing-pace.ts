import type { Clock } from '../../lib/clock/clock.ts';

/** A drawing that takes longer is followed by a rest. */
const SHORT_MS = 50;

/**
 * Draws what was asked for meanwhile at once, one drawing after the other. After a long one it rests for as long as that took:
 * a browser that is too slow for 20 pictures a second draws fewer, and takes what arrives in time, STOP too.
 */
export class DrawingPace {
  readonly #clock: Clock;
  readonly #draw: () => void;
  readonly #afterFrame: (done: () => void) => void;
  #isWanted = false;
  #isBusy = false;

  /** @param afterFrame calls back when what was drawn is on the screen */
  constructor(clock: Clock, draw: () => void, afterFrame: (done: () => void) => void) {
    this.#clock = clock;
    this.#draw = draw;
    this.#afterFrame = afterFrame;
  }

  ask(): void {
    this.#isWanted = true;
    if (this.#isBusy) return;
    this.#isBusy = true;
    this.#isWanted = false;
    const beganAt = this.#clock.monotonic();
    this.#draw();
    this.#afterFrame(() => {
      const tookMs = this.#clock.monotonic() - beganAt;
      this.#clock.after(tookMs > SHORT_MS ? tookMs : 0, () => {
        this.#isBusy = false;
        if (this.#isWanted) this.ask();
      });
    });
  }
}
