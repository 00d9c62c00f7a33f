import type { Clock } from '../../lib/clock/clock.ts';
import { afterPrecisely } from '../../lib/clock/precise.ts';
import { checkReply } from './reply.ts';
import type { ModbusRequest } from './request.ts';
import type { LineStatistics } from './statistics.ts';
import type { RtuTiming } from './timing.ts';
import type { RtuTrace } from './trace.ts';

/** The fewest bytes that can be a frame: unit, function, CRC. */
const FRAME_BYTES = 4;
const KEPT_BYTES = 512;

/**
 * When a line may be spoken on again.
 *
 * - after any byte: 3.5 characters of silence, at least 2 ms;
 * - after a fault: the turnaround limit and 3.5 characters, begun again by every byte that still comes. Only the
 *   whole late reply itself does not begin it again: with it the device owes nothing more;
 * - after an exchange was given up with its request sent: the same, and its own whole reply ends the wait at once;
 * - after bytes nobody asked for: like a fault when they could be a frame (a doubled reply). Fewer bytes are the
 *   click of an RS-485 driver letting go of the line and cost 3.5 characters only.
 */
export class QuietTime {
  readonly #clock: Clock;
  readonly #timing: RtuTiming;
  readonly #statistics: LineStatistics;
  readonly #trace: RtuTrace;
  #endsAt = 0;
  #mode: 'none' | 'fault' | 'abandoned' = 'none';
  #owed: ModbusRequest | undefined;
  #discarded: number[] = [];
  #faultEndsAt = 0;
  #wake: (() => void) | undefined;
  /** Chunks of bytes seen so far. */
  chunks = 0;

  constructor(options: { clock: Clock; timing: RtuTiming; statistics: LineStatistics; trace: RtuTrace }) {
    this.#clock = options.clock;
    this.#timing = options.timing;
    this.#statistics = options.statistics;
    this.#trace = options.trace;
  }

  /** Monotonic milliseconds from which a request may be sent. */
  get endsAt(): number {
    return this.#endsAt;
  }

  /** The line was not silent just now. */
  activity(): void {
    this.chunks += 1;
    this.#extend(this.#timing.silenceMs);
  }

  fault(owed: ModbusRequest): void {
    this.#begin('fault', owed);
  }

  /** @param received what has come of the reply so far */
  abandoned(owed: ModbusRequest, received: readonly number[]): void {
    this.#begin('abandoned', owed);
    this.#discarded.push(...received);
  }

  exchangeStarts(): void {
    this.#mode = 'none';
    this.#owed = undefined;
    this.#discarded = [];
  }

  /** Bytes that no exchange waits for. */
  discard(bytes: Uint8Array): void {
    this.#statistics.discardedBytes += bytes.length;
    this.#discarded.push(...bytes);
    this.#discarded.splice(0, this.#discarded.length - KEPT_BYTES);
    const isLateReply = this.#isOwedReply();
    this.#trace({
      kind: 'discarded',
      atMs: this.#clock.monotonic(),
      bytes,
      ...(isLateReply ? { note: 'late reply thrown away' } : {}),
    });
    if (isLateReply) {
      this.#statistics.lateFrames += 1;
      this.#owed = undefined;
      this.#discarded = [];
      if (this.#mode === 'abandoned') this.#faultEndsAt = 0;
      this.#endsAt = Math.max(this.#faultEndsAt, this.#clock.monotonic() + this.#timing.silenceMs);
      this.#wake?.();
      return;
    }
    if (this.#mode !== 'none' || this.#discarded.length >= FRAME_BYTES) {
      this.#extend(this.#timing.turnaroundMs + this.#timing.silenceMs);
    }
  }

  /** Waits, at most `ms`; ends early when the quiet time was cut short. @throws the signal's reason */
  wait(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const release = () => {
        cancel();
        this.#wake = undefined;
        signal.removeEventListener('abort', onAbort);
      };
      const onAbort = () => {
        release();
        reject(signal.reason);
      };
      const done = () => {
        release();
        resolve();
      };
      const cancel = afterPrecisely(this.#clock, ms, done);
      this.#wake = done;
      signal.addEventListener('abort', onAbort, { once: true });
    });
  }

  #begin(mode: 'fault' | 'abandoned', owed: ModbusRequest): void {
    this.#mode = mode;
    this.#owed = owed;
    this.#discarded = [];
    this.#extend(this.#timing.turnaroundMs + this.#timing.silenceMs);
    this.#faultEndsAt = this.#endsAt;
    this.#trace({
      kind: 'note',
      atMs: this.#clock.monotonic(),
      note: `quiet until ${this.#endsAt.toFixed(1)} ms`,
    });
  }

  #isOwedReply(): boolean {
    if (!this.#owed) return false;
    const { state } = checkReply(this.#owed, Uint8Array.from(this.#discarded));
    return state === 'reply' || state === 'exception';
  }

  #extend(ms: number): void {
    this.#endsAt = Math.max(this.#endsAt, this.#clock.monotonic() + ms);
  }
}
