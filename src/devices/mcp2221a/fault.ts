import * as z from 'zod';
import type { Random } from '../../lib/random/seeded-random.ts';

/** What a twin does to one answer. Several may be combined. The command is carried out all the same. */
export const hidFaultSchema = z.strictObject({
  /** Says nothing at all. */
  silent: z.boolean().optional(),
  /** Answers this many milliseconds later than it would, with the contents of the earlier moment. */
  late_ms: z.number().min(0).max(60_000).optional(),
  /** Sends only this many bytes of the report. */
  truncate: z.int().min(0).max(63).optional(),
  /** The report comes twice, the second time at the next poll. */
  doubled: z.boolean().optional(),
  /**
   * Another command in the echo, another result, or an ADC word above ten bits. USB carries a CRC and repeats what it
   * damages, so on a real device this is firmware or memory at fault, not the line.
   */
  corrupt: z.enum(['echo', 'result', 'word']).optional(),
  /** Another program asked just before, and its answer comes to us as well. */
  foreign: z.boolean().optional(),
});

export type HidFault = z.infer<typeof hidFaultSchema>;

/** The bytes that go out for `answer`; none when it is silent. */
export function faultedAnswer(answer: Uint8Array, fault: HidFault, random: Random): Uint8Array | undefined {
  if (fault.silent) return undefined;
  const report = Uint8Array.from(answer);
  const flip = (index: number, bit: number) => {
    report[index] = (report[index] ?? 0) ^ (1 << bit);
  };
  if (fault.corrupt === 'echo') flip(0, Math.floor(8 * random()));
  if (fault.corrupt === 'result') report[1] = 1 + Math.floor(255 * random());
  if (fault.corrupt === 'word') flip(51 + 2 * Math.floor(3 * random()), 2 + Math.floor(6 * random()));
  return fault.truncate === undefined ? report : report.slice(0, fault.truncate);
}

/** Names and values of what is wrong, for a trace; empty for nothing. */
export function faultNote(fault: HidFault): string {
  const faults = Object.entries(fault).filter(([, value]) => value !== undefined && value !== false);
  return faults.map(([name, value]) => (value === true ? name : `${name} ${value}`)).join(', ');
}
