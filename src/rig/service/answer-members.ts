import * as z from 'zod';
import type { Origin } from '../hardware/ports.ts';

/** Marks of each answer. */
export const markMembers = { mock: z.boolean(), simulated: z.boolean(), bench: z.boolean() };

export function marks({ mock, bench }: Origin): z.output<z.ZodObject<typeof markMembers>> {
  return { mock, simulated: mock, bench };
}

/** Seconds of a hold as they are shown: tenths. */
export const shownHold = (remainingS: number | null): number | null =>
  remainingS === null ? null : Math.round(remainingS * 10) / 10;

/** Members of `/health` that every service of a device has. */
export const identityMembers = {
  service: z.string(),
  version: z.string(),
  pid: z.int(),
  started_at: z.iso.datetime(),
  /** Reachable from outside without a token; left out when it is not. */
  insecure: z.literal(true).optional(),
};
export type ServiceIdentity = z.output<z.ZodObject<typeof identityMembers>>;

export const lockHolderSchema = z.object({
  service: z.string(),
  pid: z.int(),
  port: z.int().nullable(),
  since: z.string(),
});

/** What `/health` of every service says of its device. */
export const deviceMembers = {
  ok: z.boolean(),
  code: z.string().nullable(),
  message: z.string(),
  mock_mode: z.boolean(),
  simulated: z.boolean(),
  bench: z.boolean(),
  /** Another holder of the device; null when there is none, or none that answers. */
  holder: lockHolderSchema.nullable(),
};

/** And of an actuator. */
export const actuatorMembers = {
  ...deviceMembers,
  status: z.enum(['ok', 'held', 'timeout', 'incompatible', 'error']),
  /** The device has said that it is the one that is wanted. */
  identified: z.boolean(),
  /** Version of the device itself; null when it is not known. */
  firmware: z.string().nullable(),
  /** Why the device is to be stopped, and what is in the way; null when it was proven to stand. */
  stop_pending: z.string().nullable(),
};
const actuatorHealth = z.object(actuatorMembers);
export type ActuatorHealth = z.output<typeof actuatorHealth>;

/** An actuator is not well while a stop of it is not proven. @param pending why, and what is in the way */
export function withPendingStop<H extends Omit<ActuatorHealth, 'stop_pending'>>(
  health: H,
  pending: string | undefined,
): H & Pick<ActuatorHealth, 'stop_pending'> {
  if (pending === undefined) return { ...health, stop_pending: null };
  const told = { ...health, ok: false, stop_pending: pending };
  if (health.status !== 'ok') return told;
  return { ...told, status: 'error', code: 'safe_state_incomplete', message: pending };
}
