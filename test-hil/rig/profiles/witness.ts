import type { BenchOutputs } from '../../../src/bench/bench-state.ts';
import { systemClock } from '../../../src/lib/clock/clock.ts';

const PERIOD_MS = 5;

/** What the twin of the HID chip saw: it counts its clients, and knows nothing of locks. */
export interface Testimony {
  samples: number;
  /** Longest time between two looks. */
  longestGapMs: number;
  /** Looks at which more than one client was there. */
  withTwo: { atMs: number; clients: number }[];
}

export class Witness {
  readonly testimony: Testimony = { samples: 0, longestGapMs: 0, withTwo: [] };
  readonly #stop = new AbortController();
  readonly #done: Promise<void>;

  constructor(benchUrl: string) {
    this.#done = this.#watch(`${benchUrl}/bench/v1/outputs`);
  }

  async end(): Promise<Testimony> {
    this.#stop.abort();
    await this.#done;
    return this.testimony;
  }

  async #watch(url: string): Promise<void> {
    const startedAt = systemClock.monotonic();
    let lastAt = startedAt;
    while (!this.#stop.signal.aborted) {
      const { clients } = (await (await fetch(url)).json()) as BenchOutputs;
      const at = systemClock.monotonic();
      const count = clients.usbhid ?? 0;
      this.testimony.samples++;
      this.testimony.longestGapMs = Math.max(this.testimony.longestGapMs, at - lastAt);
      if (count > 1) this.testimony.withTwo.push({ atMs: Math.round(at - startedAt), clients: count });
      lastAt = at;
      await systemClock.sleep(PERIOD_MS);
    }
  }
}
