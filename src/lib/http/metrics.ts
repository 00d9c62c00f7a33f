import type { Metric } from 'prom-client';
import Counter from 'prom-client/lib/counter.js';
import Gauge from 'prom-client/lib/gauge.js';
import Registry from 'prom-client/lib/registry.js';
import { DurationHistogram } from './duration-histogram.ts';
import { metricDeclaration } from './metric-table.ts';
import { addProcessMetrics } from './process-metrics.ts';

export type Labels = Readonly<Record<string, string>>;

/** What services record. */
export interface Metrics {
  /** Adds to a counter. */
  count(name: string, labels?: Labels, by?: number): void;
  /** Sets a gauge. */
  set(name: string, value: number, labels?: Labels): void;
  /** For those who count often: what adds one to the counter with these labels. */
  counter(name: string, labels: Labels): () => void;
  /** What puts a duration in seconds into the histogram with these labels. */
  timer(name: string, labels: Labels): (seconds: number) => void;
  /** Prometheus text exposition, format 0.0.4. */
  render(): string | Promise<string>;
}

/**
 * Counters, gauges and histograms of one service, by prom-client, in a registry of its own. A metric appears with its
 * first value: nothing is reported that was not recorded. Labels beyond those of the table, or of a metric's first
 * value, are a defect and throw.
 */
export class MetricRegistry implements Metrics {
  readonly #registry = new Registry();
  readonly #counters = new Map<string, Counter>();
  readonly #gauges = new Map<string, Gauge>();
  readonly #updates: (() => void)[] = [];
  readonly #histograms = new Map<string, DurationHistogram>();
  /** What was counted since it was last asked for. */
  readonly #counted: { name: string; labels: Labels; by: number }[] = [];

  constructor() {
    addProcessMetrics(this.#registry);
  }

  count(name: string, labels: Labels = {}, by = 1): void {
    this.#find(this.#counters, name, labels, (options) => new Counter(options)).inc(labels, by);
  }

  set(name: string, value: number, labels: Labels = {}): void {
    this.#find(this.#gauges, name, labels, (options) => new Gauge(options)).set(labels, value);
  }

  counter(name: string, labels: Labels): () => void {
    const counted = { name, labels, by: 0 };
    this.#counted.push(counted);
    return () => {
      counted.by += 1;
    };
  }

  timer(name: string, labels: Labels): (seconds: number) => void {
    const series = this.#histogram(name, labels).series(labels);
    return (seconds) => series.observe(seconds);
  }

  /** Has `update` set what is best known at the moment it is asked for. It must not touch a device. */
  beforeRender(update: () => void): void {
    this.#updates.push(update);
  }

  async render(): Promise<string> {
    for (const update of this.#updates) update();
    for (const counted of this.#counted) {
      if (counted.by > 0) this.count(counted.name, counted.labels, counted.by);
      counted.by = 0;
    }
    return this.#registry.metrics();
  }

  #histogram(name: string, labels: Labels): DurationHistogram {
    return this.#find(this.#histograms, name, labels, (options) => {
      const made = new DurationHistogram(options);
      // The registry takes whatever has a name and says its values.
      this.#registry.registerMetric(made as unknown as Metric);
      return made;
    });
  }

  #find<M>(known: Map<string, M>, name: string, labels: Labels, create: (options: Options) => M): M {
    const found = known.get(name);
    if (found) return found;
    const declared = metricDeclaration(name) ?? { help: name, labels: Object.keys(labels) };
    const { help, labels: labelNames } = declared;
    const made = create({ name, help, labelNames: [...labelNames], registers: [this.#registry] });
    known.set(name, made);
    return made;
  }
}

interface Options {
  name: string;
  help: string;
  labelNames: string[];
  registers: Registry[];
}
