import * as z from 'zod';
import { uncertainStatusSchema } from '../hardware/lung-data.ts';
import { lockHolderSchema } from './answer-members.ts';

/** Of a failure at a device: which one, who else has it, and how the lung stood after it. */
export const deviceProblemMembers = {
  device: z.string(),
  /** The lock that is held, and by whom. */
  key: z.string(),
  holder: lockHolderSchema.nullable(),
  /** What would allow the command. */
  remedy: z.string(),
  data: z.object({ runtime_status: uncertainStatusSchema }),
};
