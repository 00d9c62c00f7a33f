import * as z from 'zod';
import type { LungReading } from '../../lung-data.ts';
import type { JsonObject, ServiceClient } from './service-client.ts';

const steps = z.int();

/** `runtime_status` of svc-lung. */
const readingSchema = z
  .object({
    connected: z.literal(true),
    energized: z.boolean(),
    moving: z.boolean(),
    position: steps.nullable(),
    position_uncertain: z.boolean().nullable(),
    forward_limit_active: z.boolean().nullable(),
    reverse_limit_active: z.boolean().nullable(),
    low_vin: z.boolean().nullable(),
    vin_mv: z.int().min(0).nullable(),
    motor_driver_error: z.boolean().nullable(),
    last_motion_error: z.string().nullable(),
    cycles_done: steps.min(0),
    cycles_total: steps.min(0),
    error: z.string().nullable(),
    velocity: z.int(),
  })
  .transform(
    (data): LungReading => ({
      connected: data.connected,
      energized: data.energized,
      moving: data.moving,
      position: data.position,
      positionUncertain: data.position_uncertain,
      forwardLimitActive: data.forward_limit_active,
      reverseLimitActive: data.reverse_limit_active,
      lowVin: data.low_vin,
      vinMv: data.vin_mv,
      motorDriverError: data.motor_driver_error,
      lastMotionError: data.last_motion_error,
      cyclesDone: data.cycles_done,
      cyclesTotal: data.cycles_total,
      error: data.error,
      velocity: data.velocity,
    }),
  );

const marksSchema = z.object({ mock: z.boolean(), bench: z.boolean(), started_at: z.string() });
const commandSchema = marksSchema.extend({ data: z.object({ runtime_status: readingSchema }) });

/** What every answer of svc-lung about its motor has. */
export interface LungAnswer {
  reading: LungReading;
  /** From the plant of a service in mock mode. */
  mock: boolean;
  bench: boolean;
  /** When the service was started: another one has forgotten every motion. */
  startedAt: string;
}

/** The answer to a command. @throws RigError `corrupt_response` */
export function commandAnswer(client: ServiceClient, path: string, body: JsonObject): LungAnswer {
  const { data, ...marks } = client.parsed(path, commandSchema, body);
  return answerOf(data.runtime_status, marks);
}

/** The answer of /api/status and /api/hold. @throws RigError `corrupt_response` */
export function statusAnswer(client: ServiceClient, path: string, body: JsonObject): LungAnswer {
  return answerOf(client.parsed(path, readingSchema, body), client.parsed(path, marksSchema, body));
}

const answerOf = (reading: LungReading, marks: z.output<typeof marksSchema>): LungAnswer => ({
  reading,
  mock: marks.mock,
  bench: marks.bench,
  startedAt: marks.started_at,
});
