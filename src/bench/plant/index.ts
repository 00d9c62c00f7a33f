export type { LungMotion, LungState } from './lung.ts';
export {
  checkPlantPatch,
  defaultPlantParameters,
  PLANT_INPUTS,
  type PlantInput,
  type PlantParameters,
  type PlantPatch,
} from './parameters.ts';
export { type LungMotor, Plant, type PlantState } from './plant.ts';
