/** Which conversion of the hardware a reading shows, so that one that is reported twice counts once. */
export interface Conversion {
  /** Sequence number or time of the observation, as told; absent when the answer has only an age. */
  readonly id?: string;
  /** Monotonic ms between which it was made, by the age that was reported. */
  readonly fromMs: number;
  readonly toMs: number;
}

/** Ids that are kept at least: 100 s of 100 Hz. What is repeated later than that is older than any reading may be. */
const MOST_SEEN = 10_000;

/** Tells new conversions from those that were seen before. */
export class ConversionLedger {
  #seen = new Set<string>();
  #seenBefore = new Set<string>();
  #latestMs = Number.NEGATIVE_INFINITY;

  /** Takes the conversion. @returns false when it was seen before, or may have been */
  take({ id, fromMs, toMs }: Conversion): boolean {
    const isNew =
      id === undefined ? fromMs > this.#latestMs : !this.#seen.has(id) && !this.#seenBefore.has(id);
    if (id !== undefined) this.#seen.add(id);
    if (this.#seen.size > MOST_SEEN) {
      this.#seenBefore = this.#seen;
      this.#seen = new Set();
    }
    this.#latestMs = Math.max(this.#latestMs, toMs);
    return isNew;
  }
}
