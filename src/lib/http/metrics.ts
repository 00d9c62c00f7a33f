export type Labels = Readonly<Record<string, string>>;

/** What services record. A full client library can stand behind it without a change to them. */
export interface Metrics {
  /** Adds to a counter. */
  count(name: string, labels?: Labels, by?: number): void;
  /** Sets a gauge. */
  set(name: string, value: number, labels?: Labels): void;
  /** Records a duration in seconds as `<name>_sum` and `<name>_count`. */
  observe(name: string, seconds: number, labels?: Labels): void;
  /** Prometheus text exposition, format 0.0.4. */
  render(): string;
}

type Kind = 'counter' | 'gauge' | 'summary';

/** Counters, gauges and summaries in memory. */
export class MetricRegistry implements Metrics {
  readonly #families = new Map<string, { kind: Kind; samples: Map<string, number> }>();

  count(name: string, labels: Labels = {}, by = 1): void {
    add(this.#samples(name, 'counter'), name + labelText(labels), by);
  }

  set(name: string, value: number, labels: Labels = {}): void {
    this.#samples(name, 'gauge').set(name + labelText(labels), value);
  }

  observe(name: string, seconds: number, labels: Labels = {}): void {
    const samples = this.#samples(name, 'summary');
    add(samples, `${name}_sum${labelText(labels)}`, seconds);
    add(samples, `${name}_count${labelText(labels)}`, 1);
  }

  render(): string {
    const lines: string[] = [];
    for (const [name, { kind, samples }] of this.#families) {
      lines.push(`# TYPE ${name} ${kind}`);
      for (const [key, value] of samples) lines.push(`${key} ${value}`);
    }
    return `${lines.join('\n')}\n`;
  }

  #samples(name: string, kind: Kind): Map<string, number> {
    let family = this.#families.get(name);
    if (!family) {
      family = { kind, samples: new Map() };
      this.#families.set(name, family);
    }
    return family.samples;
  }
}

function add(samples: Map<string, number>, key: string, by: number): void {
  samples.set(key, (samples.get(key) ?? 0) + by);
}

function labelText(labels: Labels): string {
  const pairs = Object.entries(labels).map(([key, value]) => `${key}="${escapeLabel(value)}"`);
  return pairs.length > 0 ? `{${pairs.join(',')}}` : '';
}

function escapeLabel(value: string): string {
  return value.replace(/\\/g, '\\\\').replace(/"/g, '\\"').replace(/\n/g, '\\n');
}
