import type { Clock } from '../../lib/clock/clock.ts';
import { afterPrecisely } from '../../lib/clock/precise.ts';
import { checkReply, endsWithReply } from './reply.ts';
import type { ModbusRequest } from './request.ts';
import type { LineStatistics } from './statistics.ts';
import type { RtuTiming } from './timing.ts';
import type { RtuTrace } from './trace.ts';

/** The fewest bytes that can be a frame: unit, function, CRC. */
const FRAME_BYTES = 4;
const KEPT_BYTES = 512;
/** A reply of an exchange that was given up is awaited so long after its request before it counts as lost, milliseconds. */
const OVERDUE_MS = 50;

/**
 * What bytes that no caller waited for turned out to be. `part`: the beginning of a late reply or of an echo; `noise` are too
 * few to be a frame.
 */
export type Discarded =
  | { kind: 'late_reply'; request: ModbusRequest }
  | { kind: 'frame' | 'noise' | 'echo' | 'part' };

/**
 * When a line may be spoken on again.
 *
 * - after any byte: 3.5 characters of silence, at least 2 ms;
 * - after a fault: the turnaround limit and 3.5 characters, begun again by every byte that still comes. Only the
 *   whole late reply itself does not begin it again: with it the device owes nothing more;
 * - after an exchange was given up with its request sent: the same, and its own whole reply ends the wait at once;
 * - after bytes not requested: like a fault when they could be a frame (a doubled reply). Fewer bytes are the
 *   click of an RS-485 driver letting go of the line and cost 3.5 characters only.
 *
 * A frame that can only switch off is sent ahead of that (`earliestAt`), without counting on its echo.
 */
export class QuietTime {
  readonly #clock: Clock;
  readonly #timing: RtuTiming;
  readonly #statistics: LineStatistics;
  readonly #trace: RtuTrace;
  #endsAt = 0;
  #silentAt = 0;
  #overdueAt = 0;
  #mode: 'none' | 'fault' | 'abandoned' = 'none';
  #owed: ModbusRequest | undefined;
  /** Sent ahead; its echo, due by `echoBy`, is no late reply. `endsAt`: when the line would be quiet without it. */
  #ahead: { request: ModbusRequest; echoBy: number; endsAt: number } | undefined;
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

  /**
   * Monotonic milliseconds from which a frame that can only switch off may be sent ahead: 3.5 characters after the last
   * byte, once a reply that is missing is overdue. Undefined where the line is left alone no longer than that.
   */
  get earliestAt(): number | undefined {
    if (this.#endsAt <= this.#silentAt) return undefined;
    const overdueAt = this.#mode === 'abandoned' ? this.#overdueAt : 0;
    return Math.max(this.#silentAt, overdueAt, this.#ahead?.echoBy ?? 0);
  }

  /** The line is left alone because a reply was missing or spoilt, not because its request was given up. */
  get isReplyLost(): boolean {
    return this.#mode === 'fault';
  }

  /** Bytes came that could be a frame, and did not become the reply that was missing. */
  get hasLeftover(): boolean {
    return this.#discarded.length >= FRAME_BYTES;
  }

  /** The line was not silent just now. */
  activity(): void {
    this.chunks += 1;
    this.#silentAt = this.#clock.monotonic() + this.#timing.silenceMs;
    this.#extend(this.#timing.silenceMs);
  }

  fault(owed: ModbusRequest): void {
    this.#begin('fault', owed);
  }

  /** @param received what has come of the reply so far */
  abandoned(owed: ModbusRequest, received: readonly number[]): void {
    this.#overdueAt = this.#clock.monotonic() + OVERDUE_MS;
    this.#begin('abandoned', owed);
    this.#discarded.push(...received);
  }

  /** A frame was sent ahead. @param takesMs itself and its echo on the line */
  sentAhead(request: ModbusRequest, takesMs: number): void {
    this.#extend(takesMs + this.#timing.silenceMs);
    const echoBy = this.#clock.monotonic() + takesMs + this.#timing.silenceMs;
    this.#ahead = { request, echoBy, endsAt: this.#endsAt };
  }

  exchangeStarts(): void {
    this.#mode = 'none';
    this.#owed = undefined;
    this.#ahead = undefined;
    this.#discarded = [];
  }

  /** Bytes that no exchange waits for. */
  discard(bytes: Uint8Array): Discarded {
    this.#statistics.discardedBytes += bytes.length;
    this.#discarded.push(...bytes);
    this.#discarded.splice(0, this.#discarded.length - KEPT_BYTES);
    const found = this.#recognized();
    this.#trace({
      kind: 'discarded',
      atMs: this.#clock.monotonic(),
      bytes,
      ...(found.kind === 'late_reply' ? { note: 'late reply thrown away' } : {}),
      ...(found.kind === 'echo' ? { note: 'echo of what was sent ahead' } : {}),
    });
    if (found.kind === 'late_reply') {
      this.#statistics.lateFrames += 1;
      this.#owed = undefined;
      this.#discarded = [];
      if (this.#mode === 'abandoned') {
        this.#faultEndsAt = 0;
        this.#mode = 'none';
      }
      this.#endsAt = Math.max(this.#faultEndsAt, this.#silentAt, this.#ahead?.echoBy ?? 0);
      if (this.#ahead) this.#ahead.endsAt = this.#endsAt;
      this.#wake?.();
    } else if (found.kind === 'echo') {
      this.#discarded = [];
      this.#endsAt = Math.max(this.#ahead?.endsAt ?? 0, this.#silentAt);
    } else if (this.#mode !== 'none' || found.kind === 'frame') {
      this.#extend(this.#timing.turnaroundMs + this.#timing.silenceMs);
    }
    return found;
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

  #recognized(): Discarded {
    const discarded = Uint8Array.from(this.#discarded);
    if (this.#owed && endsWithReply(this.#owed, discarded))
      return { kind: 'late_reply', request: this.#owed };
    if (this.#ahead && endsWithReply(this.#ahead.request, discarded)) return { kind: 'echo' };
    if (discarded.length < FRAME_BYTES) return { kind: 'noise' };
    const awaited = [this.#owed, this.#ahead?.request];
    const isPart = awaited.some((one) => one && checkReply(one, discarded).state === 'incomplete');
    return { kind: isPart ? 'part' : 'frame' };
  }

  #extend(ms: number): void {
    this.#endsAt = Math.max(this.#endsAt, this.#clock.monotonic() + ms);
  }
}
