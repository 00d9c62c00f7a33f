import { type Random, seededRandom } from '../../lib/random/seeded-random.ts';
import { CONTAINER_ROLES, LEARNED_ROLES } from '../../window/detect/classes.ts';
import { FEATURES } from '../../window/detect/features.ts';
import { Forest, type ForestWeights } from '../../window/detect/forest.ts';
import type { Weights } from '../../window/detect/model.ts';
import { SECOND_FEATURES, secondLook } from '../../window/detect/score.ts';
import type { BoostJob } from './boost.ts';
import { columnOf, type Examples, tableOf } from './examples.ts';

export interface LearnOptions {
  seed: number;
  /** Boosting rounds of the first look; the others take a share of it. */
  rounds: number;
  /** Grows one forest, perhaps in another thread. */
  grow: (job: BoostJob) => Promise<ForestWeights>;
}

/** Below it a candidate has nothing to do with an element; there are so many that a share of them is enough. */
const NOTHING = 0.15;
const NOTHING_SHARE = 0.2;

/** Seeds of the forests, so that each is the same whichever is grown first. */
const SEEDS = { first: 1, halves: [2, 3], second: 4, roles: 5, containers: 6 } as const;

/** Trains the forests of the detector. The same screens and seed give the same weights. */
export async function learn(screens: readonly Examples[], options: LearnOptions): Promise<Weights> {
  const [first, second, roles, containers] = await Promise.all([
    learnFirst(screens, options, SEEDS.first, 1),
    learnSecond(screens, options),
    learnClasses(screens, options, SEEDS.roles, {
      count: LEARNED_ROLES.length,
      least: 0,
      classOf: ({ role }, i) => role[i] as number,
    }),
    learnClasses(screens, options, SEEDS.containers, {
      count: CONTAINER_ROLES.length,
      least: -1,
      classOf: ({ container }, i) => container[i] as number,
    }),
  ]);
  return { first, second, roles, containers };
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

const randomOf = ({ seed }: LearnOptions, own: number): Random => seededRandom(seed * 100 + own);

function learnFirst(
  screens: readonly Examples[],
  options: LearnOptions,
  own: number,
  share: number,
): Promise<ForestWeights> {
  const random = randomOf(options, own);
  const wanted = screens.map(({ overlap }) =>
    [...overlap.keys()].filter((i) => (overlap[i] as number) > NOTHING || random() < NOTHING_SHARE),
  );
  return options.grow({
    rows: tableOf(screens, wanted),
    targets: [columnOf(screens, wanted, ({ overlap }, i) => worthOf(overlap[i] as number))],
    weights: columnOf(screens, wanted, ({ overlap }, i) =>
      (overlap[i] as number) > NOTHING ? 1 : 1 / NOTHING_SHARE,
    ),
    options: { ...common(options, share), features: FEATURES, leaves: 40, rowShare: 0.5 },
    seed: options.seed * 100 + own,
  });
}

/** Each half of the families is judged by what the other half has taught: no one has seen the answers, or their like, before. */
async function learnSecond(screens: readonly Examples[], options: LearnOptions): Promise<ForestWeights> {
  const families = [...new Set(screens.map(({ family }) => family))].sort();
  const halves = [0, 1].map((half) =>
    screens.filter(({ family }) => families.indexOf(family) % 2 === half),
  ) as [Examples[], Examples[]];
  const taught = await Promise.all(
    SEEDS.halves.map((own, h) => learnFirst(halves[h] as Examples[], options, own, 0.7)),
  );
  const looks = halves.flatMap((half, h) => {
    const first = new Forest(taught[1 - h] as ForestWeights, Number.NEGATIVE_INFINITY);
    return half.map((one) => ({ ...secondLook(one, one.features, first), overlap: one.overlap }));
  });
  const targets = Float32Array.from(
    looks.flatMap(({ alive, overlap }) => alive.map((i) => worthOf(overlap[i] as number))),
  );
  const rows = new Float32Array(targets.length * SECOND_FEATURES.length);
  let at = 0;
  for (const look of looks) {
    rows.set(look.rows, at);
    at += look.rows.length;
  }
  return options.grow({
    rows,
    targets: [targets],
    weights: new Float32Array(targets.length).fill(1),
    options: {
      ...common(options, 0.8),
      features: SECOND_FEATURES,
      rate: 0.1,
      leaves: 24,
      rowShare: 0.5,
      featureShare: 0.5,
      leastWeight: 15,
    },
    seed: options.seed * 100 + SEEDS.second,
  });
}

interface Classes {
  count: number;
  /** Candidates of a lower class are not asked; -1 is none of the classes. */
  least: number;
  classOf: (screen: Examples, i: number) => number;
}

/** One class against the rest, for each. */
function learnClasses(
  screens: readonly Examples[],
  options: LearnOptions,
  own: number,
  { count, least, classOf }: Classes,
): Promise<ForestWeights> {
  const wanted = screens.map((screen) =>
    [...screen.overlap.keys()].filter((i) => classOf(screen, i) >= least),
  );
  const classes = columnOf(screens, wanted, classOf);
  return options.grow({
    rows: tableOf(screens, wanted),
    targets: Array.from({ length: count }, (_, c) => classes.map((value) => (value === c ? 1 : 0))),
    weights: new Float32Array(classes.length).fill(1),
    options: { ...common(options, 0.2), features: FEATURES, leaves: 16, rowShare: 0.6 },
    seed: options.seed * 100 + own,
  });
}

const common = ({ rounds }: LearnOptions, share: number) => ({
  rounds: Math.ceil(rounds * share),
  rate: 0.12,
  featureShare: 0.7,
  leastWeight: 8,
});
