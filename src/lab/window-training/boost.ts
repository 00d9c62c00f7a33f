import { type Random, seededRandom } from '../../lib/random/seeded-random.ts';
import { type ForestWeights, packTree, type Tree } from '../../window/detect/forest.ts';

export interface BoostOptions {
  features: readonly string[];
  rounds: number;
  leaves: number;
  /** Share of a leaf's best value that is taken. */
  rate: number;
  /** Share of the rows and of the features that each tree sees. */
  rowShare: number;
  featureShare: number;
  /** Least sum of second derivatives in a leaf. */
  leastWeight: number;
  random: Random;
}

/** All that a forest is grown from, so that another thread can do it. */
export interface BoostJob {
  rows: Float32Array;
  targets: readonly Float32Array[];
  weights: Float32Array;
  options: Omit<BoostOptions, 'random' | 'onRound'>;
  seed: number;
}

export const boostJob = ({ rows, targets, weights, options, seed }: BoostJob): ForestWeights =>
  boost(rows, targets, weights, { ...options, random: seededRandom(seed) });

const MOST_BINS = 96;
const STEP = 1 / 4096;
const DAMPING = 2;

/**
 * Gradient boosted trees over histograms, grown leaf by leaf, for the logistic loss. One class for each entry of
 * `targets`, one against the rest.
 *
 * @param rows one row of features for each example
 * @param targets for each class the wanted probability of each example, 0..1
 * @param weights of each example
 */
export function boost(
  rows: Float32Array,
  targets: readonly Float32Array[],
  weights: Float32Array,
  options: BoostOptions,
): ForestWeights {
  const { features, rounds, rate, rowShare, featureShare, random } = options;
  const count = weights.length;
  const width = features.length;
  const thresholds = features.map((_, f) => thresholdsOf(rows, count, width, f));
  const bins = binsOf(rows, count, width, thresholds);
  const scores = targets.map((target) => {
    let sum = 0;
    let all = 0;
    for (let i = 0; i < count; i++) {
      sum += (target[i] as number) * (weights[i] as number);
      all += weights[i] as number;
    }
    const share = Math.min(0.999, Math.max(0.001, sum / all));
    return new Float32Array(count).fill(Math.log(share / (1 - share)));
  });
  const bias = scores.map((score) => score[0] as number);
  const trees: string[] = [];
  const gradient = new Float32Array(count);
  const curvature = new Float32Array(count);
  for (let round = 0; round < rounds; round++) {
    targets.forEach((target, k) => {
      const score = scores[k] as Float32Array;
      for (let i = 0; i < count; i++) {
        const p = 1 / (1 + Math.exp(-(score[i] as number)));
        const w = weights[i] as number;
        gradient[i] = w * (p - (target[i] as number));
        curvature[i] = w * Math.max(1e-4, p * (1 - p));
      }
      const picked: number[] = [];
      for (let i = 0; i < count; i++) if (random() < rowShare) picked.push(i);
      const columns = features.map((_, f) => f).filter(() => random() < featureShare);
      const tree = grow(bins, thresholds, gradient, curvature, Int32Array.from(picked), columns, options);
      tree.leaves = tree.leaves.map((value) =>
        Math.max(-32767, Math.min(32767, Math.round((value * rate) / STEP))),
      );
      for (let i = 0; i < count; i++) score[i] = (score[i] as number) + STEP * leafOf(tree, bins, i);
      trees.push(packTree(tree));
    });
  }
  return {
    features,
    thresholds: thresholds.map((cuts) => Array.from(cuts, (cut) => Number(cut.toPrecision(5)))),
    bias,
    step: STEP,
    trees,
  };
}

function leafOf(tree: Tree, bins: readonly Uint8Array[], i: number): number {
  let at = tree.feature.length === 0 ? -1 : 0;
  while (at >= 0) {
    const bin = (bins[tree.feature[at] as number] as Uint8Array)[i] as number;
    at = (bin <= (tree.threshold[at] as number) ? tree.left[at] : tree.right[at]) as number;
  }
  return tree.leaves[-1 - at] as number;
}

interface Leaf {
  rows: Int32Array;
  gradients: Float64Array;
  curvatures: Float64Array;
  gradient: number;
  curvature: number;
  gain: number;
  feature: number;
  bin: number;
  /** Split that it hangs on, and its side. */
  under: number;
  isLeft: boolean;
}

function grow(
  bins: readonly Uint8Array[],
  thresholds: readonly Float32Array[],
  gradient: Float32Array,
  curvature: Float32Array,
  rows: Int32Array,
  columns: readonly number[],
  { leaves: mostLeaves, leastWeight }: BoostOptions,
): Tree {
  const histogram = (leaf: Leaf): void => {
    for (const [c, f] of columns.entries()) {
      const column = bins[f] as Uint8Array;
      const base = c * MOST_BINS;
      for (let k = 0; k < leaf.rows.length; k++) {
        const i = leaf.rows[k] as number;
        const slot = base + (column[i] as number);
        leaf.gradients[slot] = (leaf.gradients[slot] as number) + (gradient[i] as number);
        leaf.curvatures[slot] = (leaf.curvatures[slot] as number) + (curvature[i] as number);
      }
    }
  };
  const total = (leaf: Leaf): void => {
    for (let k = 0; k < leaf.rows.length; k++) {
      leaf.gradient += gradient[leaf.rows[k] as number] as number;
      leaf.curvature += curvature[leaf.rows[k] as number] as number;
    }
  };
  const search = (leaf: Leaf): void => {
    const whole = leaf.gradient ** 2 / (leaf.curvature + DAMPING);
    leaf.gain = 0;
    for (const [c, f] of columns.entries()) {
      let g = 0;
      let h = 0;
      const splits = (thresholds[f] as Float32Array).length;
      for (let bin = 0; bin < splits; bin++) {
        g += leaf.gradients[c * MOST_BINS + bin] as number;
        h += leaf.curvatures[c * MOST_BINS + bin] as number;
        const rest = leaf.curvature - h;
        if (h < leastWeight) continue;
        if (rest < leastWeight) break;
        const gain = g ** 2 / (h + DAMPING) + (leaf.gradient - g) ** 2 / (rest + DAMPING) - whole;
        if (gain > leaf.gain + 1e-9) {
          leaf.gain = gain;
          leaf.feature = f;
          leaf.bin = bin;
        }
      }
    }
  };
  const make = (own: Int32Array, under: number, isLeft: boolean): Leaf => ({
    rows: own,
    gradients: new Float64Array(columns.length * MOST_BINS),
    curvatures: new Float64Array(columns.length * MOST_BINS),
    gradient: 0,
    curvature: 0,
    gain: 0,
    feature: 0,
    bin: 0,
    under,
    isLeft,
  });
  const root = make(rows, -1, true);
  total(root);
  histogram(root);
  search(root);
  const open: Leaf[] = [root];
  const tree: Tree = { feature: [], threshold: [], left: [], right: [], leaves: [] };
  while (open.length < mostLeaves) {
    let best = open[0] as Leaf;
    for (const leaf of open) if (leaf.gain > best.gain) best = leaf;
    if (best.gain <= 0) break;
    open.splice(open.indexOf(best), 1);
    const split = tree.feature.length;
    hang(tree, best, split);
    tree.feature.push(best.feature);
    tree.threshold.push(best.bin);
    tree.left.push(0);
    tree.right.push(0);
    const column = bins[best.feature] as Uint8Array;
    let lefts = 0;
    for (let k = 0; k < best.rows.length; k++)
      if ((column[best.rows[k] as number] as number) <= best.bin) lefts++;
    const left = make(new Int32Array(lefts), split, true);
    const right = make(new Int32Array(best.rows.length - lefts), split, false);
    let l = 0;
    let r = 0;
    for (let k = 0; k < best.rows.length; k++) {
      const i = best.rows[k] as number;
      if ((column[i] as number) <= best.bin) left.rows[l++] = i;
      else right.rows[r++] = i;
    }
    // The larger half is what the whole has more than the smaller one.
    const [small, large] = left.rows.length <= right.rows.length ? [left, right] : [right, left];
    histogram(small);
    for (let k = 0; k < large.gradients.length; k++) {
      large.gradients[k] = (best.gradients[k] as number) - (small.gradients[k] as number);
      large.curvatures[k] = (best.curvatures[k] as number) - (small.curvatures[k] as number);
    }
    for (const leaf of [left, right]) {
      total(leaf);
      search(leaf);
      open.push(leaf);
    }
  }
  for (const leaf of open) {
    hang(tree, leaf, -1 - tree.leaves.length);
    tree.leaves.push(-leaf.gradient / (leaf.curvature + DAMPING));
  }
  return tree;
}

function hang(tree: Tree, { under, isLeft }: Leaf, what: number): void {
  if (under >= 0) (isLeft ? tree.left : tree.right)[under] = what;
}

/** Values that cut a feature into about equally many examples. */
function thresholdsOf(rows: Float32Array, count: number, width: number, f: number): Float32Array {
  const stride = Math.max(1, Math.floor(count / 50_000));
  const values: number[] = [];
  for (let i = 0; i < count; i += stride) values.push(rows[i * width + f] as number);
  values.sort((a, b) => a - b);
  const cuts = new Set<number>();
  for (let k = 1; k < MOST_BINS; k++) {
    const value = values[Math.floor((k * values.length) / MOST_BINS)] as number;
    cuts.add(Math.fround(Number(value.toPrecision(5))));
  }
  // Rare values at both ends still get cuts of their own.
  const distinct = [...new Set(values)];
  if (distinct.length < MOST_BINS)
    for (const value of distinct) cuts.add(Math.fround(Number(value.toPrecision(5))));
  return Float32Array.from([...cuts].sort((a, b) => a - b).slice(0, MOST_BINS - 1));
}

function binsOf(
  rows: Float32Array,
  count: number,
  width: number,
  thresholds: readonly Float32Array[],
): readonly Uint8Array[] {
  return thresholds.map((cuts, f) => {
    const column = new Uint8Array(count);
    for (let i = 0; i < count; i++) {
      const value = rows[i * width + f] as number;
      let low = 0;
      let high = cuts.length;
      while (low < high) {
        const middle = (low + high) >> 1;
        if (value <= (cuts[middle] as number)) high = middle;
        else low = middle + 1;
      }
      column[i] = low;
    }
    return column;
  });
}
