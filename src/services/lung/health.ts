import * as z from 'zod';
import { actuatorMembers, identityMembers } from '../../rig/service/answer-members.ts';

const members = {
  ...actuatorMembers,
  driver: z.literal('Tic T249'),
  address: z.string().nullable(),
  serial: z.string().nullable(),
  /** Settings that are not as the rig's safety wants them. */
  differences: z.array(z.object({ setting: z.string(), wanted: z.unknown(), actual: z.unknown() })),
};

/** What /health says of the motor and its service. */
export const healthSchema = z.object({ ...members, ...identityMembers });

/** What the motor itself gives to it. */
export type LungHealth = Omit<z.output<z.ZodObject<typeof members>>, 'stop_pending'>;
