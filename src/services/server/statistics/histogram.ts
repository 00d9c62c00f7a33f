const FEWEST_BINS = 5;
const MOST_BINS = 50;

/** Number of values from `low` (included) to `high` (left out, but for the last bin). */
export interface Bin {
  readonly low: number;
  readonly high: number;
  readonly count: number;
}

/**
 * Histogram with bins of equal width by the rule of Freedman and Diaconis, 5 to 50 of them.
 * @param values finite
 */
export function histogramOf(values: readonly number[]): Bin[] {
  if (values.length === 0) return [];
  const sorted = Float64Array.from(values).sort();
  const [low, high] = [sorted[0] ?? 0, sorted.at(-1) ?? 0];
  if (low === high) return [{ low, high, count: values.length }];
  const bins = binsFor(sorted, high - low);
  const edge = (at: number) => (at === bins ? high : low + ((high - low) * at) / bins);
  const counts = new Array<number>(bins).fill(0);
  let bin = 0;
  for (const value of sorted) {
    while (bin < bins - 1 && value >= edge(bin + 1)) bin++;
    counts[bin] = (counts[bin] ?? 0) + 1;
  }
  return counts.map((count, at) => ({ low: edge(at), high: edge(at + 1), count }));
}

function binsFor(sorted: Float64Array, range: number): number {
  const quantile = (part: number) => sorted[Math.floor((sorted.length - 1) * part)] ?? 0;
  const width = (2 * (quantile(0.75) - quantile(0.25))) / Math.cbrt(sorted.length);
  const wanted = width > 0 ? Math.ceil(range / width) : Math.ceil(Math.sqrt(sorted.length));
  return Math.min(MOST_BINS, Math.max(FEWEST_BINS, wanted));
}
