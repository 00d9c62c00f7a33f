import * as z from 'zod';

/** Volts at an input instead of what the plant gives; null for the plant. */
const input = z.number().min(-20).max(20).nullable();

/** Knobs of the bank's twin. */
export const bankKnobsSchema = z.strictObject({
  /** All three channels, or one for each; null for the plant. Reported as it is, also outside of 0..12 V. */
  volts: z.union([input, z.array(input).length(3)]),
  /** The converter stands at the end of its range. */
  saturated: z.boolean(),
  age_ms: z.number().min(-10_000).max(600_000),
  /** Each channel keeps the sample that it gave last, and says that it is fresh. */
  freeze: z.boolean(),
  /** What each channel says instead of `<bank_id>/ch<n>`; null for the truth. */
  identity: z.string().max(200).nullable(),
  /** Channels say nothing of their age. */
  missing_age: z.boolean(),
  /** Answers come this much later. */
  delay_ms: z.number().min(0).max(60_000),
  http_status: z.int().min(200).max(599),
  /** The connection is broken off instead of an answer. */
  disconnect: z.boolean(),
  /** The answer is not valid JSON. */
  not_json: z.boolean(),
  bank_id: z.string().min(1).max(100),
  boot_id: z.string().min(1).max(100),
  /** The bank is off the network: no process listens. Acted on by the one that opened it. */
  unplugged: z.boolean(),
});

export type BankKnobs = z.infer<typeof bankKnobsSchema>;

export const bankKnobs = (): BankKnobs => ({
  volts: null,
  saturated: false,
  age_ms: 12,
  freeze: false,
  identity: null,
  missing_age: false,
  delay_ms: 0,
  http_status: 200,
  disconnect: false,
  not_json: false,
  bank_id: 'bank-0',
  boot_id: '6f1c',
  unplugged: false,
});
