import * as z from 'zod';

/** What happens to the twin at one transfer: a kernel's write and its read are two. */
export const ads1115FaultSchema = z.strictObject({
  /** Does not acknowledge its address. */
  nack: z.boolean().optional(),
  /** Its supply dips just before: all registers as after power-up. */
  brown_out: z.boolean().optional(),
});

export type Ads1115Fault = z.infer<typeof ads1115FaultSchema>;
