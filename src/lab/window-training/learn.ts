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

/** Screens of toolkits are fewer than those that are made up: each counts as so many. */
const TOOLKIT = 2;
/** And so many for the roles: what is made up shows links and menus in every look, and only a toolkit tells which are usual. */
const TOOLKIT_ROLES = 6;
/** And those of made up windows for what holds others: nothing else has title bars. */
const WINDOW_CONTAINERS = 8;
const weightOf = (family: string, toolkit = TOOLKIT): number =>
  family.startsWith('generated') ? 1 : toolkit;

/** Seeds of the forests, so that each is the same whichever is grown first. */
const SEEDS = { first: 1, halves: [2, 3], second: 4, roles: 5, containers: 6 } as const;

/** Trains the forests of the detector. The same screens and seed give the same weights. */
export async function learn(screens: readonly Examples[], options: LearnOptions): Promise<Weights> {
  const looked = secondLooks(screens, options);
  const [first, second, roles, containers] = await Promise.all([
    learnFirst(screens, options, SEEDS.first, 1),
    looked.then((looks) => learnSecond(looks, options)),
    looked.then((looks) => learnRoles(looks, options)),
    learnContainers(screens, options),
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
    weights: columnOf(
      screens,
      wanted,
      ({ family, overlap }, i) => weightOf(family) / ((overlap[i] as number) > NOTHING ? 1 : NOTHING_SHARE),
    ),
    options: { ...common(options, share), features: FEATURES, leaves: 40, rowShare: 0.5 },
    seed: options.seed * 100 + own,
  });
}

/** What the second look sees of one screen, and what it has to tell of each row. */
interface Look {
  family: string;
  rows: Float32Array;
  overlap: number[];
  role: number[];
}

/** Each half of the families is judged by what the other half has taught: no one has seen the answers, or their like, before. */
async function secondLooks(screens: readonly Examples[], options: LearnOptions): Promise<Look[]> {
  const families = [...new Set(screens.map(({ family }) => family))].sort();
  const halves = [0, 1].map((half) =>
    screens.filter(({ family }) => families.indexOf(family) % 2 === half),
  ) as [Examples[], Examples[]];
  const taught = await Promise.all(
    SEEDS.halves.map((own, h) => learnFirst(halves[h] as Examples[], options, own, 0.7)),
  );
  return halves.flatMap((half, h) => {
    const first = new Forest(taught[1 - h] as ForestWeights, Number.NEGATIVE_INFINITY);
    return half.map((one) => {
      const { alive, rows } = secondLook(one, one.features, first);
      return {
        family: one.family,
        rows,
        overlap: alive.map((i) => one.overlap[i] as number),
        role: alive.map((i) => one.role[i] as number),
      };
    });
  });
}

function learnSecond(looks: readonly Look[], options: LearnOptions): Promise<ForestWeights> {
  const targets = Float32Array.from(looks.flatMap(({ overlap }) => overlap.map(worthOf)));
  return options.grow({
    rows: joined(looks, () => true),
    targets: [targets],
    weights: Float32Array.from(looks.flatMap(({ family, overlap }) => overlap.map(() => weightOf(family)))),
    options: {
      ...common(options, 0.8),
      features: SECOND_FEATURES,
      rate: 0.07,
      leaves: 24,
      rowShare: 0.5,
      featureShare: 0.5,
      leastWeight: 15,
    },
    seed: options.seed * 100 + SEEDS.second,
  });
}

function learnRoles(looks: readonly Look[], options: LearnOptions): Promise<ForestWeights> {
  const roles = looks.flatMap(({ role }) => role.filter((one) => one >= 0));
  return options.grow({
    ...classes(roles, LEARNED_ROLES.length),
    rows: joined(looks, ({ role }, a) => (role[a] as number) >= 0),
    weights: Float32Array.from(
      looks.flatMap(({ family, role }) =>
        role.filter((one) => one >= 0).map(() => weightOf(family, TOOLKIT_ROLES)),
      ),
    ),
    options: {
      ...classOptions(options),
      rounds: Math.ceil(0.3 * options.rounds),
      features: SECOND_FEATURES,
      // Some roles are rare: their leaves hold little.
      leastWeight: 2,
    },
    seed: options.seed * 100 + SEEDS.roles,
  });
}

/** Those that may hold others, of each screen; -1 is none of the classes. */
function learnContainers(screens: readonly Examples[], options: LearnOptions): Promise<ForestWeights> {
  const wanted = screens.map(({ container }) =>
    [...container.keys()].filter((i) => (container[i] as number) >= -1),
  );
  const containers = [...columnOf(screens, wanted, ({ container }, i) => container[i] as number)];
  return options.grow({
    ...classes(containers, CONTAINER_ROLES.length),
    rows: tableOf(screens, wanted),
    weights: columnOf(screens, wanted, ({ family }) =>
      family.startsWith('generated window') ? WINDOW_CONTAINERS : weightOf(family),
    ),
    options: { ...classOptions(options), features: FEATURES },
    seed: options.seed * 100 + SEEDS.containers,
  });
}

/** One class against the rest, for each. */
const classes = (values: readonly number[], count: number) => ({
  targets: Array.from({ length: count }, (_, c) =>
    Float32Array.from(values, (value) => (value === c ? 1 : 0)),
  ),
});

/** Wanted rows of all looks in one table. */
function joined(looks: readonly Look[], isWanted: (look: Look, a: number) => boolean): Float32Array {
  const width = SECOND_FEATURES.length;
  const wanted = looks.map((look) => [...look.overlap.keys()].filter((a) => isWanted(look, a)));
  const table = new Float32Array(wanted.reduce((sum, own) => sum + own.length, 0) * width);
  let at = 0;
  looks.forEach(({ rows }, k) => {
    for (const a of wanted[k] as number[]) {
      table.set(rows.subarray(a * width, (a + 1) * width), at);
      at += width;
    }
  });
  return table;
}

const classOptions = (options: LearnOptions) => ({ ...common(options, 0.2), leaves: 16, rowShare: 0.6 });

const common = ({ rounds }: LearnOptions, share: number) => ({
  rounds: Math.ceil(rounds * share),
  rate: 0.08,
  featureShare: 0.7,
  leastWeight: 8,
});
