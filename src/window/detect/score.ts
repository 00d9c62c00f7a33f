import { CONTEXT, contextOf, type Judged } from './context.ts';
import { FEATURE_COUNT, FEATURES } from './feature-names.ts';
import type { Forest } from './forest.ts';

/** Columns of the second look. */
export const SECOND_FEATURES: readonly string[] = [...FEATURES, ...CONTEXT.map((name) => `context ${name}`)];

/** Less probable candidates get no second look. */
const LEAST_ALIVE = 0.03;

/** Candidates that are left after the first look, with what the second one sees of them. */
export interface SecondLook {
  alive: number[];
  /** One row of SECOND_FEATURES for each. */
  rows: Float32Array;
}

/** Judges each candidate for itself, and gathers for the likely ones how their neighbours were judged. */
export function secondLook(scene: Judged, features: Float32Array, first: Forest): SecondLook {
  const probability = Float32Array.from(scene.candidates, (_, i) => first.probability(features, i));
  const alive = [...probability.keys()].filter((i) => (probability[i] as number) >= LEAST_ALIVE);
  const context = contextOf(scene, probability, alive);
  const width = SECOND_FEATURES.length;
  const rows = new Float32Array(alive.length * width);
  alive.forEach((i, a) => {
    rows.set(features.subarray(i * FEATURE_COUNT, (i + 1) * FEATURE_COUNT), a * width);
    rows.set(context.subarray(a * CONTEXT.length, (a + 1) * CONTEXT.length), a * width + FEATURE_COUNT);
  });
  return { alive, rows };
}

/** For each candidate the probability that it is an element, and the rows that it was last judged by. */
export function judge(
  scene: Judged,
  features: Float32Array,
  { first, second }: { first: Forest; second: Forest },
): { probability: Float32Array; look: SecondLook } {
  const look = secondLook(scene, features, first);
  const probability = new Float32Array(scene.candidates.length);
  look.alive.forEach((i, a) => {
    probability[i] = second.probability(look.rows, a);
  });
  return { probability, look };
}
