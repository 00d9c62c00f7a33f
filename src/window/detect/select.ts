import type { Candidate } from './candidates.ts';

/** Least probability that is worth its place among the elements, in the best sum of probabilities. */
export const WORTH = 0.42;
/** Below it a candidate is never one of the elements. */
const LEAST = 0.1;
/** Share of a candidate that lies in another for it to be inside. */
const INSIDE = 0.88;
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
  const kept = withoutTwins(candidates, probability);
  // Large ones first: what contains a candidate comes before it.
  kept.sort((a, b) => areaOf(candidates[b]) - areaOf(candidates[a]) || a - b);
  const parent = new Int32Array(kept.length).fill(-1);
  for (let i = 1; i < kept.length; i++) {
    const inner = candidates[kept[i] as number] as Candidate;
    const needed = INSIDE * areaOf(inner);
    for (let j = i - 1; j >= 0; j--) {
      if (sharedArea(inner, candidates[kept[j] as number] as Candidate) >= needed) {
        parent[i] = j;
        break;
      }
    }
  }
  const inside = new Float64Array(kept.length);
  const isTaken = new Uint8Array(kept.length);
  for (let i = kept.length - 1; i >= 0; i--) {
    const own = (probability[kept[i] as number] as number) - worth;
    if (own > 0 && own >= (inside[i] as number)) isTaken[i] = 1;
    const best = Math.max(own, inside[i] as number);
    const up = parent[i] as number;
    if (up >= 0) inside[up] = (inside[up] as number) + Math.max(0, best);
  }
  const isCovered = new Uint8Array(kept.length);
  const chosen: number[] = [];
  for (let i = 0; i < kept.length; i++) {
    const up = parent[i] as number;
    if (up >= 0 && (isCovered[up] || isTaken[up])) isCovered[i] = 1;
    else if (isTaken[i]) chosen.push(kept[i] as number);
  }
  return withoutOverlaps(candidates, probability, chosen);
}

/** Of candidates with nearly the same box the most probable one. */
function withoutTwins(candidates: readonly Candidate[], probability: Float32Array): number[] {
  const order = byProbability(
    candidates.map((_, i) => i).filter((i) => (probability[i] as number) >= LEAST),
    probability,
  );
  const kept: number[] = [];
  for (const i of order) {
    const one = candidates[i] as Candidate;
    const isTwin = kept.some((j) => {
      const shared = sharedArea(one, candidates[j] as Candidate);
      return shared > 0 && shared / (areaOf(one) + areaOf(candidates[j]) - shared) > SAME;
    });
    if (!isTwin) kept.push(i);
  }
  return kept;
}

function withoutOverlaps(
  candidates: readonly Candidate[],
  probability: Float32Array,
  chosen: readonly number[],
): number[] {
  const kept: number[] = [];
  for (const i of byProbability([...chosen], probability)) {
    const one = candidates[i] as Candidate;
    const isFree = kept.every((j) => {
      const other = candidates[j] as Candidate;
      return sharedArea(one, other) < MOST_SHARED * Math.min(areaOf(one), areaOf(other));
    });
    if (isFree) kept.push(i);
  }
  return kept;
}

const byProbability = (indices: number[], probability: Float32Array): number[] =>
  indices.sort((a, b) => (probability[b] as number) - (probability[a] as number) || a - b);

interface Box {
  x0: number;
  y0: number;
  x1: number;
  y1: number;
}

const areaOf = (box: Box | undefined): number => (box ? (box.x1 - box.x0) * (box.y1 - box.y0) : 0);

function sharedArea(a: Box, b: Box): number {
  const w = Math.min(a.x1, b.x1) - Math.max(a.x0, b.x0);
  const h = Math.min(a.y1, b.y1) - Math.max(a.y0, b.y0);
  return w > 0 && h > 0 ? w * h : 0;
}
