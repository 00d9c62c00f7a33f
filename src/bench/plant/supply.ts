import type { PlantParameters } from './parameters.ts';

export interface Load {
  /** Drive of the pump, 0..1. */
  duty: number;
  coilsOn: number;
  /** Whether current flows through the coils of the lung's motor. */
  energized: boolean;
}

/** Volts at the motors: what the supply gives without load, minus what each load takes. Never below 0. */
export function supplyVolts(parameters: PlantParameters, { duty, coilsOn, energized }: Load): number {
  const { supply_v, sag_pump_v, sag_coil_v, sag_motor_v } = parameters;
  const sag = sag_pump_v * duty + sag_coil_v * coilsOn + (energized ? sag_motor_v : 0);
  return Math.max(0, supply_v - sag);
}
