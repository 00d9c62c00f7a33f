import type { Milliseconds } from '../quantity.ts';
import type { Clock } from './clock.ts';

interface Pending {
  readonly due: number;
  readonly order: number;
  readonly action: () => unknown;
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

/**
 * Time that passes in no time: a sleep moves it on and fires what falls due on the way, each at its own moment. Work that
 * is under way gets its turn first, and what a timer's action returns is awaited, so that a sample is complete before time
 * goes on. There is one sleeper at a time: the run itself.
 */
export class VirtualClock implements Clock {
  readonly isVirtual: boolean = true;
  readonly #wall: () => number;
  #elapsed = 0;
  #order = 0;
  readonly #pending = new Set<Pending>();

  /** @param start wall clock at elapsed time 0, milliseconds since the Unix epoch */
  constructor(start: number) {
    this.#wall = () => start + this.#elapsed;
  }

  now(): number {
    return this.#wall();
  }

  monotonic(): number {
    return this.#elapsed;
  }

  after(ms: Milliseconds, action: () => unknown): () => void {
    const entry: Pending = { due: this.#elapsed + Math.max(0, ms), order: this.#order++, action };
    this.#pending.add(entry);
    return () => {
      this.#pending.delete(entry);
    };
  }

  async sleep(ms: Milliseconds, signal?: AbortSignal): Promise<void> {
    await turn();
    const target = this.#elapsed + Math.max(0, ms);
    signal?.throwIfAborted();
    for (let next = this.#next(target); next; next = this.#next(target)) {
      this.#pending.delete(next);
      this.#elapsed = Math.max(this.#elapsed, next.due);
      await next.action();
      signal?.throwIfAborted();
    }
    this.#elapsed = target;
  }

  #next(target: number): Pending | undefined {
    let best: Pending | undefined;
    for (const entry of this.#pending) {
      if (entry.due > target) continue;
      if (!best || entry.due < best.due || (entry.due === best.due && entry.order < best.order)) best = entry;
    }
    return best;
  }
}
