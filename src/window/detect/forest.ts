/** Weights of boosted trees as they are stored: data, not code. */
export interface ForestWeights {
  /** Names of the features, in the order of the columns. */
  features: readonly string[];
  /** Thresholds that each feature may be compared with, ascending. */
  thresholds: readonly (readonly number[])[];
  /** One value a class; a forest for one yes-or-no question has one class. */
  bias: readonly number[];
  /** What one step of a stored leaf is worth. */
  step: number;
  /** Tree t belongs to class t modulo classes. Each is base64 of little-endian 16 bit numbers, see {@link packTree}. */
  trees: readonly string[];
}

/** One tree: splits in the order in which they are met, `left` and `right` are a split, or a leaf as -1 - leaf. */
export interface Tree {
  feature: number[];
  threshold: number[];
  left: number[];
  right: number[];
  /** Values of the leaves, in steps. */
  leaves: number[];
}

/** Number of splits, then feature, threshold, left and right of each, then the leaves. */
export function packTree({ feature, threshold, left, right, leaves }: Tree): string {
  const numbers = [feature.length];
  feature.forEach((f, i) => {
    numbers.push(f, threshold[i] as number, left[i] as number, right[i] as number);
  });
  return Buffer.from(new Int16Array([...numbers, ...leaves]).buffer).toString('base64');
}

/** After so many trees a row whose log odds are lower stays improbable. */
const FIRST_TREES = 60;
const HOPELESS = -5;

/** Boosted trees, ready to be asked. */
export class Forest {
  readonly features: readonly string[];
  readonly classes: number;
  readonly #hopeless: number;
  readonly #bias: Float64Array;
  readonly #roots: Int32Array;
  readonly #feature: Uint8Array;
  readonly #threshold: Float32Array;
  readonly #left: Int32Array;
  readonly #right: Int32Array;
  readonly #leaves: Float32Array;

  /** @param hopeless log odds after the first trees below which no others are asked */
  constructor({ features, thresholds, bias, step, trees }: ForestWeights, hopeless = HOPELESS) {
    this.#hopeless = hopeless;
    this.features = features;
    this.classes = bias.length;
    this.#bias = Float64Array.from(bias);
    const feature: number[] = [];
    const threshold: number[] = [];
    const left: number[] = [];
    const right: number[] = [];
    const leaves: number[] = [];
    this.#roots = Int32Array.from(trees, (text) => {
      const bytes = Buffer.from(text, 'base64');
      const at = (i: number) => bytes.readInt16LE(i * 2);
      const splits = at(0);
      const first = feature.length;
      const firstLeaf = leaves.length;
      const child = (to: number) => (to < 0 ? to - firstLeaf : to + first);
      for (let i = 0; i < splits; i++) {
        const f = at(1 + i * 4);
        feature.push(f);
        threshold.push(thresholds[f]?.[at(2 + i * 4)] ?? Number.NaN);
        left.push(child(at(3 + i * 4)));
        right.push(child(at(4 + i * 4)));
      }
      for (let i = 1 + splits * 4; i < bytes.length / 2; i++) leaves.push(at(i) * step);
      return splits === 0 ? -1 - firstLeaf : first;
    });
    this.#feature = Uint8Array.from(feature);
    this.#threshold = Float32Array.from(threshold);
    this.#left = Int32Array.from(left);
    this.#right = Int32Array.from(right);
    this.#leaves = Float32Array.from(leaves);
  }

  /** Log odds of one class for a row of a table of features. */
  logit(rows: Float32Array, row: number, ofClass = 0): number {
    return this.#sum(rows, row, ofClass, this.#roots.length, this.#bias[ofClass] as number);
  }

  #sum(rows: Float32Array, row: number, from: number, to: number, start: number): number {
    const base = row * this.features.length;
    let sum = start;
    for (let t = from; t < to; t += this.classes) {
      let at = this.#roots[t] as number;
      while (at >= 0) {
        const goesLeft =
          (rows[base + (this.#feature[at] as number)] as number) <= (this.#threshold[at] as number);
        at = (goesLeft ? this.#left[at] : this.#right[at]) as number;
      }
      sum += this.#leaves[-1 - at] as number;
    }
    return sum;
  }

  /**
   * Probability that a row is what the forest was trained to know. Most rows are hopeless after the first trees: the
   * others are not asked about them.
   */
  probability(rows: Float32Array, row: number): number {
    const first = Math.min(FIRST_TREES, this.#roots.length);
    let sum = this.#sum(rows, row, 0, first, this.#bias[0] as number);
    if (sum > this.#hopeless) sum = this.#sum(rows, row, first, this.#roots.length, sum);
    return 1 / (1 + Math.exp(-sum));
  }
}
