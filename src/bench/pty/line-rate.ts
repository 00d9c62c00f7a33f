import type { Clock } from '../../lib/clock/clock.ts';

/** Hands bytes on as a line of `baud` would deliver them: each when its last bit has passed, in lumps of about 1 ms. */
export class LineRate {
  readonly #clock: Clock;
  readonly #characterMs: number;
  readonly #deliver: (bytes: Uint8Array) => void;
  #waiting: { byte: number; dueMs: number }[] = [];
  #freeAtMs = 0;
  #cancel: (() => void) | undefined;

  constructor(options: { clock: Clock; baud: number; deliver: (bytes: Uint8Array) => void }) {
    this.#clock = options.clock;
    this.#characterMs = 10_000 / options.baud;
    this.#deliver = options.deliver;
  }

  push(bytes: Uint8Array): void {
    this.#freeAtMs = Math.max(this.#freeAtMs, this.#clock.monotonic());
    for (const byte of bytes) {
      this.#freeAtMs += this.#characterMs;
      this.#waiting.push({ byte, dueMs: this.#freeAtMs });
    }
    this.#schedule();
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#waiting = [];
  }

  #schedule(): void {
    const [next] = this.#waiting;
    if (!next || this.#cancel) return;
    this.#cancel = this.#clock.after(Math.max(1, next.dueMs - this.#clock.monotonic()), () => {
      this.#cancel = undefined;
      const now = this.#clock.monotonic();
      const due = this.#waiting.filter(({ dueMs }) => dueMs <= now);
      this.#waiting = this.#waiting.slice(due.length);
      if (due.length > 0) this.#deliver(Uint8Array.from(due, ({ byte }) => byte));
      this.#schedule();
    });
  }
}
