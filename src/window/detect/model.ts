import { FEATURES } from './feature-names.ts';
import { Forest, type ForestWeights } from './forest.ts';
import { SECOND_FEATURES } from './score.ts';
import weights from './weights.json';

/** What was learned on known screens. */
export interface Weights {
  /** Is a candidate an element, by itself? */
  first: ForestWeights;
  /** And when its neighbours are known? */
  second: ForestWeights;
  /** Which role has an element? One class for each of LEARNED_ROLES. */
  roles: ForestWeights;
  /** Is a surface or a frame a container? One class for each of CONTAINER_ROLES. */
  containers: ForestWeights;
}

/** How weights were made: who does the same gets the same. */
export interface Made {
  /** SHA-256 of the code that looks at screens and learns. */
  recipe: string;
  /** SHA-256 of what it learns from a few drawn pictures. */
  slice: string;
  /** SHA-256 of the screens with their truths, and how many they were. */
  screens: string;
  count: number;
  seed: number;
  rounds: number;
}

export type Model = Record<keyof Weights, Forest>;

let loaded: Model | undefined;

/** The detector's weights, unpacked once. @throws Error when they were trained for other features */
export function shippedModel(): Model {
  loaded ??= unpack(weights);
  return loaded;
}

/** @throws Error when the weights were trained for other features */
export function unpack({ first, second, roles, containers }: Weights): Model {
  const forest = (own: ForestWeights, features: readonly string[]): Forest => {
    if (own.features.join() !== features.join())
      throw new Error('weights.json was trained for other features: train again with "npm run train:window"');
    return new Forest(own);
  };
  return {
    first: forest(first, FEATURES),
    second: forest(second, SECOND_FEATURES),
    roles: forest(roles, SECOND_FEATURES),
    containers: forest(containers, FEATURES),
  };
}
