import type { Candidate } from './candidates.ts';

/** What differs by no more than this is in one line, column or size. Pixels. */
const NEAR = 2;
const KINDS = { row: 0, box: 1, frame: 2, blob: 3, cluster: 4 } as const;
/** Larger than every height. */
const STRIDE = 1 << 20;

/** Of the candidates that are aligned with one: how many they are, and the mean of their probabilities, -1 for none. */
export interface Aligned {
  count: number;
  value: number;
}

/** Candidates of one kind and height, by their places: those of a column, of a line and of one size, without comparing each with each. */
export class Alignments {
  readonly #candidates: readonly Candidate[];
  readonly #probability: Float32Array;
  readonly #lefts: Places;
  readonly #rights: Places;
  readonly #feet: Places;
  readonly #widths: Places;

  constructor(candidates: readonly Candidate[], probability: Float32Array, alive: readonly number[]) {
    this.#candidates = candidates;
    this.#probability = probability;
    const places = (at: (candidate: Candidate) => number) => new Places(candidates, probability, alive, at);
    this.#lefts = places(({ x0 }) => x0);
    this.#rights = places(({ x1 }) => x1);
    this.#feet = places(({ y1 }) => y1);
    this.#widths = places(({ x0, x1 }) => x1 - x0);
  }

  /**
   * Those aligned with a candidate; who begins and ends in its column counts twice there.
   *
   * @param but indices of those that do not count, as it does not itself
   */
  of(one: Candidate, but: readonly number[]): { column: Aligned; line: Aligned; same: Aligned } {
    const sum = (...places: readonly Places[]): Aligned => {
      let count = 0;
      let total = 0;
      for (const own of places) {
        const [near, all] = own.near(one);
        count += near;
        total += all;
        for (const j of but) {
          if (!own.isNear(one, this.#candidates[j] as Candidate)) continue;
          count--;
          total -= this.#probability[j] as number;
        }
      }
      return { count, value: count === 0 ? -1 : total / count };
    };
    return { column: sum(this.#lefts, this.#rights), line: sum(this.#feet), same: sum(this.#widths) };
  }
}

/** Candidates by kind and height, and within these by one number, with the sums of their probabilities. */
class Places {
  readonly #at: (candidate: Candidate) => number;
  readonly #groups = new Map<number, { places: number[]; sums: number[] }>();

  constructor(
    candidates: readonly Candidate[],
    probability: Float32Array,
    alive: readonly number[],
    at: (candidate: Candidate) => number,
  ) {
    this.#at = at;
    const sorted = alive
      .map((i) => ({ i, place: at(candidates[i] as Candidate) }))
      .sort((a, b) => a.place - b.place || a.i - b.i);
    for (const { i, place } of sorted) {
      const key = keyOf(candidates[i] as Candidate, 0);
      let group = this.#groups.get(key);
      if (!group) {
        group = { places: [], sums: [0] };
        this.#groups.set(key, group);
      }
      group.places.push(place);
      group.sums.push((group.sums.at(-1) as number) + (probability[i] as number));
    }
  }

  /** How many are near one, and the sum of their probabilities. */
  near(one: Candidate): [number, number] {
    let count = 0;
    let total = 0;
    const place = this.#at(one);
    for (let higher = -NEAR; higher <= NEAR; higher++) {
      const group = this.#groups.get(keyOf(one, higher));
      if (!group) continue;
      const from = firstFrom(group.places, place - NEAR);
      const to = firstFrom(group.places, place + NEAR + 1);
      count += to - from;
      total += (group.sums[to] as number) - (group.sums[from] as number);
    }
    return [count, total];
  }

  isNear(one: Candidate, other: Candidate): boolean {
    if (one.kind !== other.kind) return false;
    if (Math.abs(one.y1 - one.y0 - other.y1 + other.y0) > NEAR) return false;
    return Math.abs(this.#at(one) - this.#at(other)) <= NEAR;
  }
}

const keyOf = ({ kind, y0, y1 }: Candidate, higher: number): number =>
  KINDS[kind] * STRIDE + y1 - y0 + higher + NEAR;

/** Place of the first number from one on. */
function firstFrom(sorted: readonly number[], least: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] as number) < least) low = middle + 1;
    else high = middle;
  }
  return low;
}
