import * as z from 'zod';
import { PRODUCT_ID } from './requests.ts';

/** Knobs of the Tic twin. */
export const ticKnobsSchema = z.strictObject({
  /** Motor supply, mV, instead of what the plant gives; null for the plant. */
  vin_mv: z.int().min(0).max(65_535).nullable(),
  /** The switch is held down, wherever the motor is. */
  forward_limit: z.boolean(),
  reverse_limit: z.boolean(),
  /** Place of the shaft, microsteps, from which on the switch is down; null when there is none. */
  forward_limit_at: z.int().nullable(),
  reverse_limit_at: z.int().nullable(),
  /** What the motor driver chip complains about. */
  driver_error: z.enum(['none', 'over_current', 'over_temperature']),
  /** Takes every command and makes no step. */
  no_motion: z.boolean(),
  kill_switch: z.boolean(),
  /** Setting 09; 0 is never. */
  command_timeout_ms: z.int().min(0).max(60_000),
  /** Setting 03 is 0, as it comes from the factory. */
  safe_start: z.boolean(),
  /** The USB plug is pulled; the motor keeps its supply. */
  unplug: z.boolean(),
  /** As the device descriptor has it, for example `1.06`. Limits and homing need 1.06. */
  firmware: z.string().regex(/^\d{1,2}\.\d{2}$/, 'a version such as 1.06'),
  /** The Tic under this id instead of the T249. */
  product_id: z.int().min(0).max(0xffff),
});

export const ticKnobs = (): z.infer<typeof ticKnobsSchema> => ({
  vin_mv: null,
  forward_limit: false,
  reverse_limit: false,
  forward_limit_at: null,
  reverse_limit_at: null,
  driver_error: 'none',
  no_motion: false,
  kill_switch: false,
  command_timeout_ms: 1000,
  safe_start: true,
  unplug: false,
  firmware: '1.06',
  product_id: PRODUCT_ID,
});

/** `1.06` as the device descriptor has it: 0x0106. */
export function bcdOf(version: string): number {
  return Number.parseInt(version.replace('.', ''), 16);
}
