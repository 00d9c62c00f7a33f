import * as z from 'zod';
import type { Random } from '../../lib/random/seeded-random.ts';

/** What the twin does to one control transfer. */
export const ticFaultSchema = z.strictObject({
  /** Refuses the request and does not carry it out. */
  stall: z.boolean().optional(),
  /** Carries the request out and answers this many milliseconds later; from 1600 on no caller waits for it any more. */
  late_ms: z.number().min(0).max(60_000).optional(),
  /** Neither carries it out nor answers. */
  silent: z.boolean().optional(),
  /** Gives only this many bytes of the data stage. */
  short: z.int().min(0).max(127).optional(),
  /** Gives another block instead of the data stage: USB has a check sum, so single wrong bits do not occur. */
  corrupt: z.enum(['zeros', 'ones', 'noise']).optional(),
});

export type TicFault = z.infer<typeof ticFaultSchema>;

export function faultedData(data: Uint8Array, fault: TicFault, random: Random): Uint8Array {
  const whole = fault.corrupt ? data.map(() => filling(fault.corrupt, random)) : data;
  return fault.short === undefined ? whole : whole.slice(0, fault.short);
}

function filling(kind: TicFault['corrupt'], random: Random): number {
  if (kind === 'noise') return Math.floor(256 * random());
  return kind === 'ones' ? 0xff : 0;
}
