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

  static of(values: readonly number[], gaps: number): Statistics {
    const statistics = new Statistics();
    for (const value of values) statistics.add(value);
    statistics.#gaps = gaps;
    return statistics;
  }

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

  /** Nulls where there is nothing to say: no points, or a single one for change and standard deviation (n−1). */
  summary(): SampleStatistics {
    const some = this.#count > 0;
    const several = this.#count > 1;
    return {
      count: this.#count,
      min: some ? this.#min : null,
      max: some ? this.#max : null,
      avg: some ? this.#mean : null,
      last: this.#last,
      first: this.#first,
      delta: several ? this.#last! - this.#first! : null,
      stddev: several ? Math.sqrt(this.#squares / (this.#count - 1)) : null,
      gaps: this.#gaps,
    };
  }
}
