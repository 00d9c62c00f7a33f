import type { SampleStatistics } from '../events/event.ts';

/** Statistics of a window, point by point (Welford), so that a window of hours costs nothing to ask. */
export class Statistics {
  #count = 0;
  #mean = 0;
  #squares = 0;
  #min = Number.POSITIVE_INFINITY;
  #max = Number.NEGATIVE_INFINITY;
  #first: number | null = null;
  #last: number | null = null;
  #gaps = 0;

  add(value: number): void {
    this.#count++;
    const difference = value - this.#mean;
    this.#mean += difference / this.#count;
    this.#squares += difference * (value - this.#mean);
    this.#min = Math.min(this.#min, value);
    this.#max = Math.max(this.#max, value);
    this.#first ??= value;
    this.#last = value;
  }

  gap(): void {
    this.#gaps++;
  }

  get count(): number {
    return this.#count;
  }

  get gaps(): number {
    return this.#gaps;
  }

  /** Nulls where there is nothing to say: no points, or a single one for the standard deviation (n−1). */
  summary(): SampleStatistics {
    const some = this.#count > 0;
    return {
      count: this.#count,
      min: some ? this.#min : null,
      max: some ? this.#max : null,
      avg: some ? this.#mean : null,
      last: this.#last,
      first: this.#first,
      delta: this.#first === null || this.#last === null ? null : this.#last - this.#first,
      stddev: this.#count > 1 ? Math.sqrt(this.#squares / (this.#count - 1)) : null,
      gaps: this.#gaps,
    };
  }
}
