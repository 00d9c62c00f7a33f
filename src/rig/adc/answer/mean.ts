/** The mean of the raw values of one input, and what its samples have told on the way. */
export class Mean {
  #sum = 0;
  #samples = 0;
  #isAtLimit = false;
  #observedAt = 0;

  /** @param isAtLimit the sample stands at or beyond the end of its range */
  add(raw: number, isAtLimit: boolean, observedAt: number): void {
    this.#sum += raw;
    this.#samples += 1;
    this.#isAtLimit ||= isAtLimit;
    this.#observedAt = observedAt;
  }

  /** Rounded; converted afterwards. @throws RangeError when there is no sample: nothing stands for it */
  get raw(): number {
    if (this.#samples === 0) throw new RangeError('there is no sample to take the mean of');
    return Math.round(this.#sum / this.#samples);
  }

  get samples(): number {
    return this.#samples;
  }

  /** One sample is enough: the mean hides it, and is wrong by an unknown amount. */
  get isAtLimit(): boolean {
    return this.#isAtLimit;
  }

  /** Wall clock of the last sample. */
  get observedAt(): number {
    return this.#observedAt;
  }
}
