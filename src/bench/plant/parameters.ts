import * as z from 'zod';
import type { ConfigFault } from '../../lib/config/config-error.ts';
import { schemaFaults } from '../../lib/config/schema-faults.ts';

/** Names of the four places where the plant has a pressure. */
export const PLANT_INPUTS = ['ai01', 'ai02', 'ai03', 'ai04'] as const;
export type PlantInput = (typeof PLANT_INPUTS)[number];

const volts = z.number().min(-0.3).max(12);
const input = z.enum(PLANT_INPUTS);

/** One value for all inputs, or one for each of ai01..ai04. */
const perInput = <T extends z.ZodType>(value: T) =>
  z.union([value, z.tuple([value, value, value, value])], `one value, or a list of four for ai01 to ai04`);

/** Which pressure each input of the ADCs sees. */
const inputsSchema = z.strictObject({
  /** G1, G2, G3 of the USB chip. */
  usbhid: z.tuple([input, input, input]),
  /** AIN1, AIN2 of the UART module. */
  uart: z.tuple([input, input]),
  /** AIN0..AIN3. */
  ads1115: z.tuple([input, input, input, input]),
  /** Channels 0..2 of the remote bank. */
  bank: z.tuple([input, input, input]),
});

/** What the simulated rig is like; all of it can be changed while it runs. docs/bench.md has the formulas. */
export const plantParametersSchema = z.strictObject({
  /** Voltage of ai01..ai04 without pressure. */
  rest_v: z.tuple([volts, volts, volts, volts]),
  /** Time constant of filling and of venting, seconds. */
  tau_s: z.number().positive(),
  /** Volts above rest at full duty with the valve open. */
  gain: z.number(),
  /** Standard deviation of what each reading adds, volts. */
  noise_v: perInput(z.number().min(0)),
  /**
   * How fast a mounted mask loses its pressure, 1/s; 0 for a perfectly tight one. null: nothing is mounted, and an
   * input vents to rest with `tau_s` as soon as its valve is closed.
   */
  leak: perInput(z.number().min(0).nullable()),
  /** What the pump moves at full power, l/min. */
  pump_full_scale_lpm: z.number().positive(),
  /** Volume of the lung at position 0, litres. */
  lung_rest_l: z.number().min(0),
  /** What the lung gives out for each microstep forward, litres. */
  lung_l_per_step: z.number().min(0),
  /** What breathing adds to ai01 when a mask is mounted there, volts per l/min out of the lung. */
  breathing_v_per_lpm: z.number(),
  /** Supply of the motors without load, volts. */
  supply_v: z.number().min(0).max(60),
  /** What the pump takes from it at full power, volts. */
  sag_pump_v: z.number().min(0),
  /** What each open valve takes from it, volts. */
  sag_coil_v: z.number().min(0),
  /** What the energized lung motor takes from it, volts. */
  sag_motor_v: z.number().min(0),
  inputs: inputsSchema,
});

export type PlantParameters = z.infer<typeof plantParametersSchema>;

/** A change: what is left out stays. */
export type PlantPatch = Partial<Omit<PlantParameters, 'inputs'>> & {
  inputs?: Partial<PlantParameters['inputs']>;
};

const patchSchema = plantParametersSchema.extend({ inputs: inputsSchema.partial() }).partial();

/** Checks a change of parameters, wherever it comes from. @returns the change, or every fault with its path */
export function checkPlantPatch(data: unknown): { patch: PlantPatch } | { faults: ConfigFault[] } {
  const result = patchSchema.safeParse(data);
  if (!result.success) return { faults: schemaFaults(result.error, patchSchema, data) };
  const { inputs, ...rest } = result.data;
  return { patch: given({ ...rest, ...(inputs ? { inputs: given(inputs) } : {}) }) };
}

export const withPatch = (parameters: PlantParameters, patch: PlantPatch): PlantParameters => ({
  ...parameters,
  ...patch,
  inputs: { ...parameters.inputs, ...patch.inputs },
});

/** At rest: with the pump off all three calibration windows pass. */
export const defaultPlantParameters = (): PlantParameters => ({
  rest_v: [0.635, 0.755, 0.885, 0],
  tau_s: 0.4,
  gain: 1,
  noise_v: 0,
  leak: null,
  pump_full_scale_lpm: 10,
  lung_rest_l: 2,
  lung_l_per_step: 0.001,
  breathing_v_per_lpm: 0.0004,
  supply_v: 24,
  sag_pump_v: 0.3,
  sag_coil_v: 0.05,
  sag_motor_v: 0.6,
  inputs: {
    usbhid: ['ai01', 'ai02', 'ai03'],
    uart: ['ai02', 'ai03'],
    ads1115: ['ai01', 'ai02', 'ai03', 'ai04'],
    bank: ['ai01', 'ai02', 'ai03'],
  },
});

/** The value that counts for one input. @param index 0..3 for ai01..ai04 */
export function ofInput<T extends number | null>(value: T | readonly [T, T, T, T], index: number): T {
  if (!Array.isArray(value)) return value as T;
  const one: T | undefined = value[index];
  if (one === undefined) throw new RangeError(`input ${index} is not 0 to 3`);
  return one;
}

/** Without the members that were left out. */
function given<T extends object>(value: T): { [Key in keyof T]: Exclude<T[Key], undefined> } {
  const kept = Object.entries(value).filter(([, entry]) => entry !== undefined);
  return Object.fromEntries(kept) as { [Key in keyof T]: Exclude<T[Key], undefined> };
}
