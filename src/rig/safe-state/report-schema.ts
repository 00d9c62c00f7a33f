import * as z from 'zod';
import { type SafeStateReport, STEP_NAMES } from './report.ts';

const step = z.object({
  name: z.enum(STEP_NAMES),
  ok: z.boolean(),
  status: z.enum(['done', 'failed', 'timeout', 'not_configured', 'simulated']),
  /** The device itself confirmed the state by a read-back. */
  verified: z.boolean(),
  duration_ms: z.number(),
  detail: z.string(),
});

export const safeStateSchema = z.object({
  ok: z.boolean(),
  outcome: z.enum(['safe', 'partial', 'failed', 'simulated']),
  reason: z.string(),
  duration_ms: z.number(),
  mock: z.boolean(),
  steps: z.array(step),
}) satisfies z.ZodType<SafeStateReport>;
