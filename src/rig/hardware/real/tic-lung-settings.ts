import { StartRefusedError } from '../../../lib/http/exposure.ts';
import type { Milliseconds } from '../../../lib/quantity.ts';

/** What the rig demands of its lung beyond the address. */
export interface LungSettings {
  /** Volts below which the lung is not moved. */
  minVinV: number;
  /** Milliseconds after which homing has failed; without a switch it would never end. */
  homingLimitMs: Milliseconds;
}

export const DEFAULT_LUNG_SETTINGS: LungSettings = { minVinV: 10, homingLimitMs: 20_000 };

const DECIMAL = /^\d+(\.\d+)?$/;

/** `SVC_LUNG_MIN_VIN_V`, 0 to 40, default 10.0. @throws StartRefusedError */
export function lungSettings(env: Readonly<Record<string, string | undefined>>): LungSettings {
  const text = env.SVC_LUNG_MIN_VIN_V;
  if (text === undefined || text === '') return DEFAULT_LUNG_SETTINGS;
  const minVinV = DECIMAL.test(text) ? Number(text) : Number.NaN;
  if (minVinV <= 40) return { ...DEFAULT_LUNG_SETTINGS, minVinV };
  throw new StartRefusedError(
    `SVC_LUNG_MIN_VIN_V = ${JSON.stringify(text)} must be volts from 0 to 40, for example 10.0`,
  );
}
