import type { Clock } from '../../../lib/clock/clock.ts';
import type { TransferEnd } from './in-endpoint.ts';

/** What came of a control request, and after how long the host receives it. */
export interface HeldAnswer {
  end: TransferEnd;
  /** Milliseconds; Infinity when the device never answers. */
  delayMs: number;
}

interface ControlTransfer {
  sequence: number;
  carryOut: () => HeldAnswer;
  done: (end: TransferEnd) => void;
}

/** Endpoint 0: one request at a time, in order, each begun when the one before it was answered or given up. */
export class ControlPipe {
  readonly #clock: Clock;
  #transfers: ControlTransfer[] = [];
  #cancelAnswer: (() => void) | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Transfers that are not answered yet. */
  get waiting(): number {
    return this.#transfers.length;
  }

  submit(transfer: ControlTransfer): void {
    this.#transfers.push(transfer);
    if (this.#transfers.length === 1) this.#begin(transfer);
  }

  /** The host gives a transfer up; what the device has done stays done. @returns false when it does not wait here */
  cancel(sequence: number): boolean {
    const at = this.#transfers.findIndex((transfer) => transfer.sequence === sequence);
    if (at < 0) return false;
    this.#transfers.splice(at, 1);
    if (at === 0) this.#next();
    return true;
  }

  /** Forgets everything; no timer is left. */
  clear(): void {
    this.#transfers = [];
    this.#cancelAnswer?.();
    this.#cancelAnswer = undefined;
  }

  #begin({ carryOut, done }: ControlTransfer): void {
    const { end, delayMs } = carryOut();
    const answer = () => {
      this.#transfers.shift();
      done(end);
      this.#next();
    };
    if (delayMs === 0) answer();
    else if (Number.isFinite(delayMs)) this.#cancelAnswer = this.#clock.after(delayMs, answer);
  }

  #next(): void {
    this.#cancelAnswer?.();
    this.#cancelAnswer = undefined;
    const [next] = this.#transfers;
    if (next) this.#begin(next);
  }
}
