import type { Clock } from '../../lib/clock/clock.ts';
import { afterPrecisely } from '../../lib/clock/precise.ts';

export interface InterruptFramesOptions {
  clock: Clock;
  /** Milliseconds from frame to frame; 0 hands everything on at once. */
  pollingMs: number;
  takeOut: (report: Uint8Array) => void;
  deliverIn: (report: Uint8Array) => void;
}

/**
 * Two interrupt endpoints under one frame clock: at each frame at most one OUT report is taken that had come before it,
 * and at most one IN report is delivered that was ready before it. So an answer is never delivered less than one frame
 * after its request was sent, and an idle round trip takes two. The clock runs only while there is work.
 */
export class InterruptFrames {
  readonly #options: InterruptFramesOptions;
  #outs: { report: Uint8Array; at: number; taken: () => void }[] = [];
  #ins: { report: Uint8Array; at: number }[] = [];
  /** The nominal time of the frame that is being worked on or comes next. */
  #frameAt = 0;
  #inFrame = false;
  #cancel: (() => void) | undefined;

  constructor(options: InterruptFramesOptions) {
    this.#options = options;
  }

  get waitingOut(): number {
    return this.#outs.length;
  }

  /** @param taken called when the report has gone to the device */
  out(report: Uint8Array, taken: () => void = () => {}): void {
    if (this.#options.pollingMs === 0) {
      this.#options.takeOut(report);
      return;
    }
    this.#outs.push({ report, at: this.#options.clock.monotonic(), taken });
    this.#wake();
  }

  in(report: Uint8Array): void {
    if (this.#options.pollingMs === 0) {
      this.#options.deliverIn(report);
      return;
    }
    // A frame may be worked on late; what it caused counts from the frame's own time.
    const at = this.#inFrame ? this.#frameAt : this.#options.clock.monotonic();
    this.#ins.push({ report, at });
    this.#wake();
  }

  /** Everything under way is lost. */
  clear(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#outs = [];
    this.#ins = [];
  }

  /** Begins the frames anew when there was nothing to do. */
  #wake(): void {
    if (this.#cancel || this.#inFrame) return;
    const { clock, pollingMs } = this.#options;
    this.#await(Math.floor(clock.monotonic() / pollingMs + 1) * pollingMs);
  }

  #await(frameAt: number): void {
    this.#frameAt = frameAt;
    const { clock } = this.#options;
    this.#cancel = afterPrecisely(clock, frameAt - clock.monotonic(), () => this.#frame());
  }

  #frame(): void {
    this.#cancel = undefined;
    this.#inFrame = true;
    const [firstIn] = this.#ins;
    if (firstIn && firstIn.at < this.#frameAt) {
      this.#ins.shift();
      this.#options.deliverIn(firstIn.report);
    }
    const [firstOut] = this.#outs;
    if (firstOut && firstOut.at <= this.#frameAt) {
      this.#outs.shift();
      this.#options.takeOut(firstOut.report);
      firstOut.taken();
    }
    this.#inFrame = false;
    // From frame to frame without a look at the clock: a process that is behind catches up.
    if (this.#ins.length + this.#outs.length > 0) this.#await(this.#frameAt + this.#options.pollingMs);
  }
}
