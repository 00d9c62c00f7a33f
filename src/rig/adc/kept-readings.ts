import type { Clock } from '../../lib/clock/clock.ts';
import type { Outcome, Reading } from './reading.ts';

interface Kept<R> {
  outcome: Outcome<R>;
  /** Monotonic clock, milliseconds: rather too early than too late. */
  observedAt: number;
}

/** Wall clocks count whole milliseconds, so the difference of two may be wrong by this much. */
const WALL_STEP_MS = 1;

/**
 * The last good sample of each channel of one device, for callers that say how old it may be. Whatever indicates trouble
 * empties it, also for a sample under way: what was observed before a failure is never given after it.
 */
export class KeptReadings<C, R extends Reading> {
  readonly #clock: Clock;
  readonly #isOpen: () => boolean;
  readonly #kept = new Map<C, Kept<R>>();
  /** Grows when it is emptied. */
  #generation = 0;
  #isClosed = false;

  /** @param isOpen whether the device is open; while it is not, nothing is given */
  constructor(clock: Clock, isOpen: () => boolean) {
    this.#clock = clock;
    this.#isOpen = isOpen;
  }

  /**
   * What is kept of `channels`, in their order, when all of it is good enough; else undefined.
   *
   * @param maxAgeMs greatest age since the observation, milliseconds; with 0 nothing is
   */
  fresh(channels: readonly C[], maxAgeMs: number): Outcome<R>[] | undefined {
    if (maxAgeMs <= 0 || !this.#isOpen()) return undefined;
    const oldest = this.#clock.monotonic() - maxAgeMs;
    const outcomes: Outcome<R>[] = [];
    for (const channel of channels) {
      const kept = this.#kept.get(channel);
      if (!kept || kept.observedAt < oldest) return undefined;
      outcomes.push(kept.outcome);
    }
    return outcomes;
  }

  /**
   * Keeps what `take` gives, one outcome for each of `channels`, when all of them are good; else empties it.
   *
   * @throws what `take` throws
   */
  async taking(channels: readonly C[], take: () => Promise<Outcome<R>[]>): Promise<Outcome<R>[]> {
    const begun = { wall: this.#clock.now(), monotonic: this.#clock.monotonic() };
    const generation = this.#generation;
    const outcomes = await this.emptyOnFailure(take);
    if (!outcomes.every(({ ok }) => ok)) this.empty();
    if (this.#isClosed || generation !== this.#generation) return outcomes;
    const ended = { wall: this.#clock.now(), monotonic: this.#clock.monotonic() };
    channels.forEach((channel, index) => {
      const outcome = outcomes[index];
      if (!outcome?.ok) return;
      const observedWall = Date.parse(outcome.reading.observed_at);
      // The wall clock may be set meanwhile: one of the two is right then, and the earlier one never too young.
      const sinceBegin = begun.monotonic + (observedWall - begun.wall);
      const untilEnd = ended.monotonic - (ended.wall - observedWall);
      const observedAt = Math.max(begun.monotonic, Math.min(sinceBegin, untilEnd) - WALL_STEP_MS);
      this.#kept.set(channel, { outcome, observedAt });
    });
    return outcomes;
  }

  /** @throws what `work` throws */
  async emptyOnFailure<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (thrown) {
      this.empty();
      throw thrown;
    }
  }

  empty(): void {
    this.#generation += 1;
    this.#kept.clear();
  }

  /** For good: the service ends. */
  close(): void {
    this.#isClosed = true;
    this.empty();
  }
}
