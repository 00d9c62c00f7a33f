import { FEATURES } from './feature-names.ts';
import { Forest, type ForestWeights } from './forest.ts';
import { SECOND_FEATURES } from './score.ts';
import weights from './weights.json';

/** What was learned on generated pages. */
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

export type Model = Record<keyof Weights, Forest>;

let loaded: Model | undefined;

/** The detector's weights, unpacked once. @throws Error when they were trained for other features */
export function model(): Model {
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
    roles: forest(roles, FEATURES),
    containers: forest(containers, FEATURES),
  };
}
