import { FEATURES } from './feature-names.ts';
import { Forest, type ForestWeights } from './forest.ts';
import weights from './weights.json';

/** What was learned on generated pages. */
export interface Weights {
  /** Is a candidate an element? */
  elements: ForestWeights;
  /** Which role has an element? One class for each of LEARNED_ROLES. */
  roles: ForestWeights;
  /** Is a surface or frame a container? One class for each of CONTAINER_ROLES. */
  containers: ForestWeights;
}

export interface Model {
  elements: Forest;
  roles: Forest;
  containers: Forest;
}

let loaded: Model | undefined;

/** The detector's weights, unpacked once. @throws Error when they were trained for other features */
export function model(): Model {
  loaded ??= unpack(weights);
  return loaded;
}

function unpack({ elements, roles, containers }: Weights): Model {
  for (const { features } of [elements, roles, containers]) {
    if (features.join() !== FEATURES.join())
      throw new Error('weights.json was trained for other features: train again with "npm run train:window"');
  }
  return { elements: new Forest(elements), roles: new Forest(roles), containers: new Forest(containers) };
}
