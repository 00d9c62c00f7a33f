import type { Labels } from './metrics.ts';

/** Seconds: from an answer out of memory to the longest deadline of a route. */
const BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Durations with the same labels. */
export class DurationSeries {
  readonly #labels: Labels;
  /** Of each bound those that are no longer than it and longer than the one before; the last are longer than all. */
  readonly #counts: number[] = [...BOUNDS, Number.POSITIVE_INFINITY].map(() => 0);
  #sum = 0;

  constructor(labels: Labels) {
    this.#labels = labels;
  }

  /** @throws TypeError for what is no duration */
  observe(seconds: number): void {
    if (!Number.isFinite(seconds)) throw new TypeError(`${seconds} is not a duration in seconds`);
    let at = 0;
    while (at < BOUNDS.length && seconds > Number(BOUNDS[at])) at++;
    this.#counts[at] = (this.#counts[at] ?? 0) + 1;
    this.#sum += seconds;
  }

  /** As prom-client writes it: buckets that include those before them, then sum and count. */
  values(name: string): object[] {
    let count = 0;
    const buckets = this.#counts.map((those, at) => {
      count += those;
      const labels = { le: BOUNDS[at] ?? '+Inf', ...this.#labels };
      return { metricName: `${name}_bucket`, labels, value: count };
    });
    const labels = this.#labels;
    return [
      ...buckets,
      { metricName: `${name}_sum`, labels, value: this.#sum },
      { metricName: `${name}_count`, labels, value: count },
    ];
  }
}

/**
 * A histogram for prom-client's registry. prom-client's own looks up its labels as a text with every value, and has
 * nothing to hold on to them by.
 */
export class DurationHistogram {
  readonly type = 'histogram';
  readonly aggregator = 'sum';
  readonly name: string;
  readonly help: string;
  readonly #labelNames: readonly string[];
  readonly #series = new Map<string, DurationSeries>();

  constructor({ name, help, labelNames }: { name: string; help: string; labelNames: readonly string[] }) {
    this.name = name;
    this.help = help;
    this.#labelNames = labelNames;
  }

  /** The one of these labels, always the same. @throws TypeError for a label that the metric does not have */
  series(labels: Labels): DurationSeries {
    const unknown = Object.keys(labels).find((label) => !this.#labelNames.includes(label));
    if (unknown !== undefined)
      throw new TypeError(`${this.name} has no label ${unknown}; it has ${this.#labelNames.join(', ')}`);
    const key = JSON.stringify(this.#labelNames.map((label) => labels[label]));
    const known = this.#series.get(key) ?? new DurationSeries(labels);
    this.#series.set(key, known);
    return known;
  }

  async get() {
    const { name, help, type, aggregator } = this;
    return {
      name,
      help,
      type,
      aggregator,
      values: [...this.#series.values()].flatMap((one) => one.values(name)),
    };
  }
}
