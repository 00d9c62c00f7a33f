import * as z from 'zod';

/** What the simulated rig is like; all of it can be changed while it runs. */
export const plantParametersSchema = z.strictObject({
  /** Voltage of ai01..ai04 without pressure. */
  rest_v: z.tuple([z.number(), z.number(), z.number(), z.number()]),
  /** Time constant of filling and of venting, seconds. */
  tau_s: z.number().positive(),
  /** Volts above rest at full duty with the valve open. */
  gain: z.number(),
  /** Standard deviation of what each reading adds, volts. */
  noise_v: z.number().min(0),
  /**
   * How fast a mounted mask loses its pressure, 1/s; 0 for a perfectly tight one. null: nothing is mounted, and an
   * input vents to rest with `tau_s` as soon as its valve is closed.
   */
  leak: z.number().min(0).nullable(),
});

export type PlantParameters = z.infer<typeof plantParametersSchema>;

/** devices.md section 11. With the pump off all three calibration windows pass. */
export const defaultPlantParameters = (): PlantParameters => ({
  rest_v: [0.635, 0.755, 0.885, 0],
  tau_s: 0.4,
  gain: 1,
  noise_v: 0,
  leak: null,
});
