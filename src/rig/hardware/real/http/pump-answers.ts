import * as z from 'zod';
import type { PumpReading } from '../../ports.ts';
import type { JsonObject, ServiceClient } from './service-client.ts';

const readingSchema = z.object({
  power_pct: z.number().min(0).max(100),
  duty: z.int().min(0).max(255),
  enabled: z.boolean(),
  freq_hz: z.number().nullable().default(null),
  mock: z.boolean(),
  bench: z.boolean(),
});

const commandSchema = readingSchema.extend({ verified: z.boolean() });

/** What every answer of svc-pump about its motor has. */
export interface PumpAnswer {
  reading: PumpReading;
  /** From the plant of a service in mock mode. */
  mock: boolean;
  bench: boolean;
}

/** The answer of /api/speed and /api/stop. @throws RigError `corrupt_response` */
export function commandAnswer(client: ServiceClient, path: string, body: JsonObject): PumpAnswer {
  const told = client.parsed(path, commandSchema, body);
  return answerOf(told, told.verified);
}

/** The answer of /api/status and /api/hold: what the device shows. @throws RigError `corrupt_response` */
export function statusAnswer(client: ServiceClient, path: string, body: JsonObject): PumpAnswer {
  return answerOf(client.parsed(path, readingSchema, body), true);
}

/** Duty that acts: 0 while the drive is disabled. */
export const actingDuty = ({ enabled, duty }: PumpReading): number => (enabled ? duty : 0);

function answerOf(told: z.output<typeof readingSchema>, verified: boolean): PumpAnswer {
  const { power_pct: powerPercent, duty, enabled, freq_hz: frequencyHz, mock, bench } = told;
  return { reading: { powerPercent, duty, enabled, frequencyHz, verified }, mock, bench };
}
