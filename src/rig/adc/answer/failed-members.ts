import * as z from 'zod';

/** Members of an item without a reading. */
export const failedMembers = { code: z.string(), error: z.string() };
