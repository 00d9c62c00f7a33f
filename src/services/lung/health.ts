import * as z from 'zod';

/** What /health says of the motor (services specification, sections 2.4 and 9). */
export const lungHealthSchema = z.object({
  ok: z.boolean(),
  status: z.enum(['ok', 'error', 'timeout', 'held', 'incompatible', 'disabled', 'config_error']),
  code: z.string().nullable(),
  message: z.string(),
  driver: z.literal('Tic T249'),
  /** The device has said that it is the one that is wanted. */
  identified: z.boolean(),
  address: z.string().nullable(),
  firmware: z.string().nullable(),
  serial: z.string().nullable(),
  /** Settings that are not as the rig's safety wants them. */
  differences: z.array(z.object({ setting: z.string(), wanted: z.unknown(), actual: z.unknown() })),
  mock_mode: z.boolean(),
  simulated: z.boolean(),
  bench: z.boolean(),
  holder: z
    .object({ service: z.string(), pid: z.int(), port: z.int().nullable(), since: z.string() })
    .nullable()
    .optional(),
});

export type LungHealth = z.output<typeof lungHealthSchema>;

export const healthSchema = lungHealthSchema.extend({
  service: z.string(),
  version: z.string(),
  pid: z.int(),
  started_at: z.iso.datetime(),
  insecure: z.literal(true).optional(),
});
