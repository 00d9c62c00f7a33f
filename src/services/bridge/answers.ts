import * as z from 'zod';
import { DEVICE_PROBLEMS } from '../../lib/http/problem-schema.ts';
import type { ProblemCode } from '../../lib/http/problem-table.ts';
import { runtimeStatusSchema } from '../../rig/hardware/lung-data.ts';
import type { OperatorStop } from '../../rig/safe-state/operator-stop-record.ts';
import { safeStateSchema } from '../../rig/safe-state/report-schema.ts';
import { markMembers } from '../../rig/service/answer-members.ts';
import { deviceProblemMembers } from '../../rig/service/problem-members.ts';
import { sensorProblemMembers } from '../../rig/service/sensor-routes.ts';
import { interlocksMember, refusalMembersSchema } from './refusal.ts';

/** Ids of the interlocks that switched other actuators off with a command; left out when there were none. */
const tripped = z.array(z.string()).optional();

/** Marks and interlocks of an actuation that was done. */
export const actuationMembers = { ok: z.literal(true), ...markMembers, tripped };

export const lungRuntime = z.object({ runtime_status: runtimeStatusSchema });

/** An operator's stop: since when, by whom and why. */
export const operatorStop = z.object({
  id: z.string(),
  at: z.iso.datetime(),
  by: z.string(),
  reason: z.string(),
}) satisfies z.ZodType<OperatorStop>;

/** The stop that is in force; null while none is. */
export const operatorStopState = operatorStop.extend({ persisted: z.boolean() }).nullable();

const safeStateProblem = safeStateSchema
  .omit({ ok: true })
  .extend({ bench: z.boolean(), lease_held: z.boolean() });

/** What the bridge says in a problem beside the seven members. */
export const problemMembers = {
  ...deviceProblemMembers,
  ...sensorProblemMembers,
  ...safeStateProblem.shape,
  ...refusalMembersSchema.shape,
  interlocks: interlocksMember,
  tripped,
  /** Who holds the lease, and for how long. */
  owner: z.string(),
  expires_in_ms: z.int(),
  safe_state: safeStateSchema,
  operator_stop: operatorStop.extend({ persisted: z.boolean().optional() }).nullable(),
};

/** What refuses to switch something on. */
export const ACTUATION_PROBLEMS = [
  ...DEVICE_PROBLEMS,
  'held_by_bridge',
  'operator_stop',
  'lease_held',
  'lease_required',
  'lease_lost',
  'interlock',
  'safe_state_in_progress',
  'superseded',
  'not_safe',
  'undervoltage',
] as const satisfies readonly ProblemCode[];
