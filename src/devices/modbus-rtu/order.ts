import { couldPassFor } from './reply.ts';
import type { ModbusRequest } from './request.ts';

/**
 * Whether an answer can be one that the device still owes to another process, which spoke here before and was killed.
 * A device answers in the order of the requests, and a master has one request out at a time: one such answer can be
 * owed, for the turnaround limit at most. So:
 *
 * - of two good answers one right after the other whose shapes differ, the second is its own, and so is all that
 *   follows: had the first been the old one, its own would have come where the second was awaited, and failed there;
 * - where the turnaround limit passed before the first request, or behind a fault, nothing is owed any more.
 *
 * A write with its read-back and the start of a driver prove themselves in this way and wait for nothing. Only a
 * reading that comes first needs another question before it, whose answer looks different (`ModbusUnit.read`).
 */
export class AnswerOrder {
  readonly #now: () => number;
  readonly #turnaroundMs: number;
  /** From here on nothing is owed to anybody else, if nothing was asked before it. */
  #settledAt: number | undefined;
  #isProven = false;
  #willProve = false;
  #last: ModbusRequest | undefined;

  /** @param options.now monotonic milliseconds */
  constructor(options: { now: () => number; turnaroundMs: number }) {
    this.#now = options.now;
    this.#turnaroundMs = options.turnaroundMs;
  }

  /** The process before this one spoke before the first opening; behind the later ones there is only ourselves. */
  opened(): void {
    this.#settledAt ??= this.#now() + this.#turnaroundMs;
  }

  sent(request: ModbusRequest): void {
    this.#willProve = !this.mayBeOld(request);
  }

  /** A good answer came to the request that was sent last. */
  answered(request: ModbusRequest): void {
    this.#isProven = this.#willProve;
    this.#last = request;
  }

  /** Nothing is sent now before the turnaround limit has passed. */
  fault(): void {
    this.#isProven = true;
  }

  /** Whether a good answer to `request`, sent now, could be an old one. */
  mayBeOld(request: ModbusRequest): boolean {
    if (this.#isProven) return false;
    if (this.#last === undefined) return this.#settledAt === undefined || this.#now() < this.#settledAt;
    return couldPassFor(this.#last, request);
  }
}
