import * as z from 'zod';
import type { Clock } from '../../lib/clock/clock.ts';
import { numberText } from '../../lib/http/query-types.ts';
import { CoalescedCalls } from '../../lib/queue/coalesced-calls.ts';

/** Milliseconds that `/health` waits for a device by default: it answers within 100 ms whatever the device does. */
const DEFAULT_WAIT_MS = 60;
const LONGEST_WAIT_MS = 2500;
const GREATEST_AGE_MS = 10_000;
/** A device that leaves a probe open for so long is named as silent. */
const SILENT_MS = 500;

/**
 * Query of `/health`: `wait_ms` 0..2500 is the time that a fresh probe of the device may take; `max_age_ms` 0..10000 lets a
 * probe serve that began so long ago at most, for one who asks again and again.
 */
export const healthQuery = z.object({
  max_age_ms: numberText({ min: 0, max: GREATEST_AGE_MS, integer: true }).default(0),
  wait_ms: numberText({ min: 0, max: LONGEST_WAIT_MS, integer: true }).default(DEFAULT_WAIT_MS),
});

export interface KnownHealthOptions<H> {
  clock: Clock;
  /** Asks the device. Never throws, and ends within some seconds. */
  probe: (signal: AbortSignal) => Promise<H>;
  /** What is said of a device that has not answered a probe for `ms`. */
  silent: (ms: number) => H;
}

/**
 * What is known of a device, for `/health`. Each question begins a probe, and is answered by it when it ends in time, else by
 * the one before, or by `silent` when the device has been asked for too long.
 */
export class KnownHealth<H> {
  readonly #options: KnownHealthOptions<H>;
  readonly #probes = new CoalescedCalls();
  #last: H | undefined;
  /** When the probe that gave it began; monotonic, milliseconds. */
  #lastAt = Number.NEGATIVE_INFINITY;
  /** Of the probe that runs; monotonic, milliseconds. */
  #askedAt: number | undefined;

  constructor(options: KnownHealthOptions<H>) {
    this.#options = options;
  }

  /**
   * @param waitMs for a probe that begins now
   * @param maxAgeMs what an ended probe found that began so long ago at most is answered without asking the device
   */
  async get(waitMs: number, maxAgeMs = 0): Promise<H> {
    const { clock, silent } = this.#options;
    const startedAt = clock.monotonic();
    if (this.#last !== undefined && startedAt - this.#lastAt < maxAgeMs) return this.#last;
    const fresh = this.#probes.call('probe', (signal) => this.#probe(signal));
    const stop = new AbortController();
    const late = clock.sleep(waitMs, stop.signal).then(
      () => undefined,
      () => undefined,
    );
    const answer = await Promise.race([fresh, late]);
    stop.abort();
    if (answer !== undefined) return answer;
    const silentMs = clock.monotonic() - (this.#askedAt ?? startedAt);
    return this.#last !== undefined && silentMs < SILENT_MS ? this.#last : silent(Math.round(silentMs));
  }

  async #probe(signal: AbortSignal): Promise<H> {
    const { clock, probe } = this.#options;
    const askedAt = clock.monotonic();
    this.#askedAt = askedAt;
    try {
      this.#last = await probe(signal);
      this.#lastAt = askedAt;
      return this.#last;
    } finally {
      this.#askedAt = undefined;
    }
  }
}
