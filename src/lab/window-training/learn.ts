import { type Random, seededRandom } from '../../lib/random/seeded-random.ts';
import { CONTAINER_ROLES } from '../../window/detect/containers.ts';
import { FEATURES } from '../../window/detect/features.ts';
import { Forest, type ForestWeights } from '../../window/detect/forest.ts';
import type { Weights } from '../../window/detect/model.ts';
import { LEARNED_ROLES } from '../../window/detect/roles.ts';
import { SECOND_FEATURES, secondLook } from '../../window/detect/score.ts';
import { type BoostOptions, boost } from './boost.ts';
import { columnOf, type Examples, tableOf } from './examples.ts';

export interface LearnOptions {
  seed: number;
  /** Boosting rounds of the first look; the others take a share of it. */
  rounds: number;
  onRound: (what: string, round: number, loss: number) => void;
}

/** Below it a candidate has nothing to do with an element; there are so many that a share of them is enough. */
const NOTHING = 0.15;
const NOTHING_SHARE = 0.3;

/** Trains the forests of the detector. The same pages and seed give the same weights. */
export function learn(pages: readonly Examples[], options: LearnOptions): Weights {
  const random = seededRandom(options.seed);
  return {
    first: learnFirst(pages, options, random, 'first look'),
    second: learnSecond(pages, options, random),
    roles: learnClasses(pages, options, random, {
      what: 'roles',
      count: LEARNED_ROLES.length,
      least: 0,
      classOf: ({ role }, i) => role[i] as number,
    }),
    containers: learnClasses(pages, options, random, {
      what: 'containers',
      count: CONTAINER_ROLES.length,
      least: -1,
      classOf: ({ container }, i) => container[i] as number,
    }),
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

function learnFirst(
  pages: readonly Examples[],
  options: LearnOptions,
  random: Random,
  what: string,
): ForestWeights {
  const wanted = pages.map(({ overlap }) =>
    [...overlap.keys()].filter((i) => (overlap[i] as number) > NOTHING || random() < NOTHING_SHARE),
  );
  const targets = columnOf(pages, wanted, ({ overlap }, i) => worthOf(overlap[i] as number));
  const weights = columnOf(pages, wanted, ({ overlap }, i) =>
    (overlap[i] as number) > NOTHING ? 1 : 1 / NOTHING_SHARE,
  );
  return boost(tableOf(pages, wanted), [targets], weights, {
    ...common(options, what, random),
    features: FEATURES,
    leaves: 40,
    rowShare: 0.5,
  });
}

/** Each half of the pages is judged by what the other half has taught: no one has seen the answers before. */
function learnSecond(pages: readonly Examples[], options: LearnOptions, random: Random): ForestWeights {
  const halves = [0, 1].map((half) => pages.filter((_, p) => p % 2 === half)) as [Examples[], Examples[]];
  const looks = halves.flatMap((half, h) => {
    const others = halves[1 - h] as Examples[];
    const weights = learnFirst(
      others,
      { ...options, rounds: Math.ceil(options.rounds * 0.7) },
      random,
      'half',
    );
    const first = new Forest(weights, Number.NEGATIVE_INFINITY);
    return half.map((page) => ({ ...secondLook(page, page.features, first), overlap: page.overlap }));
  });
  const targets = Float32Array.from(
    looks.flatMap(({ alive, overlap }) => alive.map((i) => worthOf(overlap[i] as number))),
  );
  const table = new Float32Array(targets.length * SECOND_FEATURES.length);
  let at = 0;
  for (const { rows } of looks) {
    table.set(rows, at);
    at += rows.length;
  }
  return boost(table, [targets], new Float32Array(targets.length).fill(1), {
    ...common(options, 'second look', random),
    features: SECOND_FEATURES,
    rounds: Math.ceil(options.rounds * 0.8),
    rate: 0.1,
    leaves: 24,
    rowShare: 0.5,
    featureShare: 0.5,
    leastWeight: 15,
  });
}

interface Classes {
  what: string;
  count: number;
  /** Candidates of a lower class are not asked; -1 is none of the classes. */
  least: number;
  classOf: (page: Examples, i: number) => number;
}

/** One class against the rest, for each. */
function learnClasses(
  pages: readonly Examples[],
  options: LearnOptions,
  random: Random,
  { what, count, least, classOf }: Classes,
): ForestWeights {
  const wanted = pages.map((page) => [...page.overlap.keys()].filter((i) => classOf(page, i) >= least));
  const classes = columnOf(pages, wanted, classOf);
  const targets = Array.from({ length: count }, (_, c) => classes.map((value) => (value === c ? 1 : 0)));
  return boost(tableOf(pages, wanted), targets, new Float32Array(classes.length).fill(1), {
    ...common(options, what, random),
    features: FEATURES,
    rounds: Math.ceil(options.rounds / 5),
    leaves: 16,
    rowShare: 0.6,
  });
}

function common({ rounds, onRound }: LearnOptions, what: string, random: Random) {
  return {
    rounds,
    rate: 0.12,
    featureShare: 0.7,
    leastWeight: 8,
    random,
    onRound: (round: number, loss: number) => onRound(what, round, loss),
  } satisfies Partial<BoostOptions>;
}
