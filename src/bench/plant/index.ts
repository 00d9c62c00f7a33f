export type { LungMotion, LungState } from './lung.ts';
export { defaultPlantParameters, type PlantParameters, plantParametersSchema } from './parameters.ts';
export { Plant } from './plant.ts';
