import type { Clock } from '../../lib/clock/clock.ts';
import { afterPrecisely } from '../../lib/clock/precise.ts';

/** Bytes that are not the last of a burst are handed on in lumps of about this length, as a UART's buffer does. */
const LUMP_MS = 1;

/** Hands bytes on at their own moments; the last one of a burst to within a few tens of microseconds. */
export class PacedWriter {
  readonly #clock: Clock;
  readonly #deliver: (bytes: Uint8Array, dueMs: number) => void;
  #waiting: { byte: number; dueMs: number }[] = [];
  #cancel: (() => void) | undefined;

  /** @param options.deliver is called when the last of the bytes was due, which is a little earlier than now */
  constructor(options: { clock: Clock; deliver: (bytes: Uint8Array, dueMs: number) => void }) {
    this.#clock = options.clock;
    this.#deliver = options.deliver;
  }

  /** @param dueMs monotonic milliseconds, never before those of earlier bytes */
  push(byte: number, dueMs: number): void {
    this.#waiting.push({ byte, dueMs });
  }

  /** The burst goes on after all: whatever waits is handed on at `dueMs`. */
  postpone(dueMs: number): void {
    for (const entry of this.#waiting) entry.dueMs = dueMs;
  }

  /** To be called after pushing. */
  schedule(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    const last = this.#waiting.at(-1);
    if (!last) return;
    const first = this.#waiting[0] ?? last;
    const now = this.#clock.monotonic();
    const lumpMs = Math.max(LUMP_MS, first.dueMs - now);
    const restMs = last.dueMs - now;
    const wake = () => this.#handOn();
    this.#cancel =
      restMs < lumpMs + LUMP_MS ? afterPrecisely(this.#clock, restMs, wake) : this.#clock.after(lumpMs, wake);
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#waiting = [];
  }

  #handOn(): void {
    this.#cancel = undefined;
    const now = this.#clock.monotonic();
    const stillWaiting = this.#waiting.findIndex(({ dueMs }) => dueMs > now);
    const due = this.#waiting.splice(0, stillWaiting === -1 ? this.#waiting.length : stillWaiting);
    const last = due.at(-1);
    if (last) {
      this.#deliver(
        Uint8Array.from(due, ({ byte }) => byte),
        last.dueMs,
      );
    }
    this.schedule();
  }
}
