import Counter from 'prom-client/lib/counter.js';
import Gauge from 'prom-client/lib/gauge.js';
import Histogram from 'prom-client/lib/histogram.js';
import Registry from 'prom-client/lib/registry.js';
import { metricDeclaration } from './metric-table.ts';
import { addProcessMetrics } from './process-metrics.ts';

export type Labels = Readonly<Record<string, string>>;

/** What services record. */
export interface Metrics {
  /** Adds to a counter. */
  count(name: string, labels?: Labels, by?: number): void;
  /** Sets a gauge. */
  set(name: string, value: number, labels?: Labels): void;
  /** Puts a duration into a histogram. @throws TypeError for what is not a number of seconds */
  observe(name: string, seconds: number, labels: Labels): void;
  /** Prometheus text exposition, format 0.0.4. */
  render(): string | Promise<string>;
}

/** Seconds: from an answer out of memory to the longest deadline of a route. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

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
  readonly #histograms = new Map<string, Histogram>();

  constructor() {
    addProcessMetrics(this.#registry);
  }

  count(name: string, labels: Labels = {}, by = 1): void {
    this.#find(this.#counters, name, labels, (options) => new Counter(options)).inc(labels, by);
  }

  set(name: string, value: number, labels: Labels = {}): void {
    this.#find(this.#gauges, name, labels, (options) => new Gauge(options)).set(labels, value);
  }

  observe(name: string, seconds: number, labels: Labels): void {
    this.#find(
      this.#histograms,
      name,
      labels,
      (options) => new Histogram({ ...options, buckets: BUCKETS }),
    ).observe(labels, seconds);
  }

  /** Has `update` set what is best known at the moment it is asked for. It must not touch a device. */
  beforeRender(update: () => void): void {
    this.#updates.push(update);
  }

  async render(): Promise<string> {
    for (const update of this.#updates) update();
    return this.#registry.metrics();
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
