import { BoxIndex, middleOf } from './box-index.ts';
import type { Candidate } from './candidates.ts';
import { containmentOf } from './containment.ts';
import { areaOf, overlapOf, sharedArea } from './element.ts';

/** Least probability that is worth its place among the elements, in the best sum of probabilities. */
export const WORTH = 0.45;
/** Ink that lies in nothing that was chosen is hardly nothing: this share of the worth is enough for it. */
const LEFT = 0.6;
const IS_INK: ReadonlySet<string> = new Set(['row', 'cluster']);
/** Below it a candidate is never one of the elements. */
const LEAST = 0.1;
/** Two candidates that share more than this are the same thing. */
const SAME = 0.8;
/** Chosen elements share less of the smaller one than this. */
const MOST_SHARED = 0.4;

/**
 * Chooses elements of which none lies in another, so that the sum of (probability - worth) is as large as it can be:
 * the best antichain in the forest of containment.
 *
 * @returns indices of candidates, most probable first
 */
export function select(candidates: readonly Candidate[], probability: Float32Array, worth = WORTH): number[] {
  const possible = withoutColumns(candidates, withoutTwins(candidates, probability), probability);
  const best = choose(candidates, probability, possible, worth);
  const chosen = [...best, ...inPictures(candidates, probability, possible, best, worth)];
  const taken = new BoxIndex(candidates, chosen);
  const left = possible.filter((i) => {
    const one = candidates[i] as Candidate;
    return IS_INK.has(one.kind) && !taken.some(one, (j) => sharedArea(one, candidates[j] as Candidate) > 0);
  });
  return byProbability([...chosen, ...choose(candidates, probability, left, worth * LEFT)], probability);
}

/** Least probability of a row for it to be a line of text, and how many times as wide as high it is. */
const LINE = { least: 0.25, wide: 1.6 };
const LEAST_LINES = 2;

/** Strokes that lie close to each other are no icon when they are lines of text one below the other. */
function withoutColumns(
  candidates: readonly Candidate[],
  possible: readonly number[],
  probability: Float32Array,
): number[] {
  const lines = possible.filter((i) => {
    const { kind, x0, y0, x1, y1 } = candidates[i] as Candidate;
    return kind === 'row' && (probability[i] as number) >= LINE.least && x1 - x0 >= LINE.wide * (y1 - y0);
  });
  const index = new BoxIndex(candidates, lines);
  return possible.filter((i) => {
    const one = candidates[i] as Candidate;
    if (one.kind !== 'cluster') return true;
    const inside: Candidate[] = [];
    index.forEach(one, (j) => {
      const line = candidates[j] as Candidate;
      if (sharedArea(line, one) === areaOf(line)) inside.push(line);
    });
    return mostBelow(inside) < LEAST_LINES;
  });
}

/** How many lines at most stand one below the other: of those that are left, the one that ends first. */
function mostBelow(lines: readonly Candidate[]): number {
  let [count, end] = [0, Number.NEGATIVE_INFINITY];
  for (const { y0, y1 } of [...lines].sort((a, b) => a.y1 - b.y1 || a.x1 - b.x1)) {
    if (y0 < end) continue;
    count++;
    end = y1;
  }
  return count;
}

/** A picture may have readings in it, as a gauge has: it is one element, and so is each of them. */
function inPictures(
  candidates: readonly Candidate[],
  probability: Float32Array,
  possible: readonly number[],
  chosen: readonly number[],
  worth: number,
): number[] {
  const pictures = chosen.filter((i) => candidates[i]?.kind === 'blob');
  if (pictures.length === 0) return [];
  const index = new BoxIndex(candidates, pictures);
  const inside = possible.filter((i) => {
    const one = candidates[i] as Candidate;
    const isIn = (j: number): boolean => sharedArea(one, candidates[j] as Candidate) === areaOf(one);
    return one.kind === 'row' && index.some(middleOf(one), isIn);
  });
  return choose(candidates, probability, inside, worth);
}

function choose(
  candidates: readonly Candidate[],
  probability: Float32Array,
  possible: readonly number[],
  worth: number,
): number[] {
  const { order, parent } = containmentOf(candidates, possible);
  const inside = new Float64Array(order.length);
  const isTaken = new Uint8Array(order.length);
  for (let k = order.length - 1; k >= 0; k--) {
    const own = (probability[order[k] as number] as number) - worth;
    if (own > 0 && own >= (inside[k] as number)) isTaken[k] = 1;
    const up = parent[k] as number;
    if (up >= 0) inside[up] = (inside[up] as number) + Math.max(0, own, inside[k] as number);
  }
  const isCovered = new Uint8Array(order.length);
  const chosen: number[] = [];
  for (let k = 0; k < order.length; k++) {
    const up = parent[k] as number;
    if (up >= 0 && (isCovered[up] || isTaken[up])) isCovered[k] = 1;
    else if (isTaken[k]) chosen.push(order[k] as number);
  }
  return withoutOverlaps(candidates, probability, chosen);
}

/** Of candidates with nearly the same box the most probable one. */
function withoutTwins(candidates: readonly Candidate[], probability: Float32Array): number[] {
  const possible = [...candidates.keys()].filter((i) => (probability[i] as number) >= LEAST);
  const index = new BoxIndex(candidates, possible);
  const kept = new Set<number>();
  for (const i of byProbability(possible, probability)) {
    const one = candidates[i] as Candidate;
    const isTwin = (j: number): boolean => kept.has(j) && overlapOf(one, candidates[j] as Candidate) > SAME;
    if (!index.some(middleOf(one), isTwin)) kept.add(i);
  }
  return [...kept];
}

function withoutOverlaps(
  candidates: readonly Candidate[],
  probability: Float32Array,
  chosen: readonly number[],
): number[] {
  const index = new BoxIndex(candidates, chosen);
  const kept = new Set<number>();
  for (const i of byProbability([...chosen], probability)) {
    const one = candidates[i] as Candidate;
    const isTaken = index.some(one, (j) => {
      const other = candidates[j] as Candidate;
      return kept.has(j) && sharedArea(one, other) >= MOST_SHARED * Math.min(areaOf(one), areaOf(other));
    });
    if (!isTaken) kept.add(i);
  }
  return [...kept];
}

const byProbability = (indices: number[], probability: Float32Array): number[] =>
  indices.sort((a, b) => (probability[b] as number) - (probability[a] as number) || a - b);
