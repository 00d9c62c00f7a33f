import { type Random, seededRandom } from '../../lib/random/seeded-random.ts';
import { CONTAINER_ROLES } from '../detect/containers.ts';
import { FEATURES } from '../detect/features.ts';
import type { ForestWeights } from '../detect/forest.ts';
import type { Weights } from '../detect/model.ts';
import { LEARNED_ROLES } from '../detect/roles.ts';
import { type BoostOptions, boost } from './boost.ts';
import { type Examples, tableOf } from './examples.ts';

export interface LearnOptions {
  seed: number;
  /** Boosting rounds of the scorer; the other two take a share of it. */
  rounds: number;
  onRound: (what: string, round: number, loss: number) => void;
}

/** Below it a candidate has nothing to do with an element; there are so many that a share of them is enough. */
const NOTHING = 0.15;
const NOTHING_SHARE = 0.3;

/** Trains the three forests of the detector. The same pages and seed give the same weights. */
export function learn(pages: readonly Examples[], options: LearnOptions): Weights {
  const random = seededRandom(options.seed);
  return {
    elements: learnElements(pages, options, random),
    roles: learnRoles(pages, options, random),
    containers: learnContainers(pages, options, random),
  };
}

/**
 * What a candidate with this IoU is worth: nothing below 0.4, since it will never count as found, and more the closer it
 * fits, so that of two that would count the better one is chosen.
 */
export function worthOf(overlap: number): number {
  if (overlap < 0.4) return 0;
  if (overlap < 0.5) return (overlap - 0.4) * 4;
  return 0.4 + 0.6 * Math.min(1, (overlap - 0.5) / 0.45);
}

function learnElements(pages: readonly Examples[], options: LearnOptions, random: Random): ForestWeights {
  const targets: number[] = [];
  const weights: number[] = [];
  const { rows } = tableOf(
    pages,
    ({ overlap }, i) => (overlap[i] as number) > NOTHING || random() < NOTHING_SHARE,
    ({ overlap }, i) => {
      const value = overlap[i] as number;
      targets.push(worthOf(value));
      weights.push(value > NOTHING ? 1 : 1 / NOTHING_SHARE);
    },
  );
  return boost(rows, [Float32Array.from(targets)], Float32Array.from(weights), {
    ...common(options, 'elements', random),
    leaves: 40,
    rowShare: 0.5,
    leastWeight: 8,
  });
}

export function learnRoles(pages: readonly Examples[], options: LearnOptions, random: Random): ForestWeights {
  const classes: number[] = [];
  const { rows, count } = tableOf(
    pages,
    ({ role }, i) => (role[i] as number) >= 0,
    ({ role }, i) => classes.push(role[i] as number),
  );
  return boost(rows, oneAgainstRest(classes, LEARNED_ROLES.length), new Float32Array(count).fill(1), {
    ...common(options, 'roles', random),
    rounds: Math.ceil(options.rounds / 5),
    leaves: 16,
    rowShare: 0.6,
    leastWeight: 8,
  });
}

export function learnContainers(pages: readonly Examples[], options: LearnOptions, random: Random): ForestWeights {
  const classes: number[] = [];
  const { rows, count } = tableOf(
    pages,
    ({ container }, i) => (container[i] as number) >= -1,
    ({ container }, i) => classes.push(container[i] as number),
  );
  return boost(rows, oneAgainstRest(classes, CONTAINER_ROLES.length), new Float32Array(count).fill(1), {
    ...common(options, 'containers', random),
    rounds: Math.ceil(options.rounds / 5),
    leaves: 16,
    rowShare: 0.6,
    leastWeight: 8,
  });
}

const oneAgainstRest = (classes: readonly number[], count: number): Float32Array[] =>
  Array.from({ length: count }, (_, c) => Float32Array.from(classes, (value) => (value === c ? 1 : 0)));

function common({ rounds, onRound }: LearnOptions, what: string, random: Random) {
  return {
    features: FEATURES,
    rounds,
    rate: 0.12,
    featureShare: 0.7,
    random,
    onRound: (round: number, loss: number) => onRound(what, round, loss),
  } satisfies Partial<BoostOptions>;
}
