import * as z from 'zod';
import type { SettingDifference, TicSettings } from '../../devices/tic/settings.ts';

/** Longest hold, seconds: a day, longer than any run of the rig and well within a timer of Node. */
export const LONGEST_HOLD_S = 86_400;

export const settingsSchema = z.object({
  ok: z.literal(true),
  product: z.string().nullable(),
  firmware: z.string().nullable(),
  serial: z.string().nullable(),
  /** As the device had them when it was opened; null in mock mode and while it has not been opened. */
  settings: z.record(z.string(), z.unknown()).nullable(),
  differences: z.array(z.object({ setting: z.string(), wanted: z.unknown(), actual: z.unknown() })),
  observed_at: z.iso.datetime().nullable(),
  min_vin_v: z.number(),
  homing_limit_s: z.number(),
  longest_hold_s: z.number(),
  mock: z.boolean(),
  simulated: z.boolean(),
  bench: z.boolean(),
});

export type LungSettingsAnswer = z.output<typeof settingsSchema>;

const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** With the names that the services write. */
export function settingsData(settings: TicSettings): Record<string, unknown> {
  return Object.fromEntries(Object.entries(settings).map(([name, value]) => [snake(name), value]));
}

export function differencesData(differences: readonly SettingDifference[]) {
  return differences.map(({ setting, wanted, actual }) => ({ setting: snake(setting), wanted, actual }));
}
