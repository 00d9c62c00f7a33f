import * as z from 'zod';
import type { RtuFault } from './fault.ts';

/** Knobs of every Modbus twin: what is done to all its answers, and its port. */
export const rtuKnobShape = {
  /** Carries requests out and does not answer. */
  silent: z.boolean(),
  /** Hears nothing: does nothing and does not answer. */
  deaf: z.boolean(),
  late_ms: z.number().min(0).max(60_000),
  bad_crc: z.boolean(),
  /** Bytes of each answer that are sent; null for all. */
  truncate: z.int().min(0).max(256).nullable(),
  doubled: z.boolean(),
  /** Each answer comes once more after so many milliseconds; null for once only. */
  repeat_after_ms: z.number().min(0).max(60_000).nullable(),
  /** Answers before the line can have carried request and answer. */
  early: z.boolean(),
  foreign: z.boolean(),
  /** Modbus exception given to every request; null for none. */
  exception: z.int().min(1).max(255).nullable(),
  /** Another program holds the port. */
  port_held: z.boolean(),
  /** The adapter is pulled out. */
  unplugged: z.boolean(),
};

const schema = z.strictObject(rtuKnobShape);
export type RtuKnobs = z.infer<typeof schema>;

export const rtuKnobs = (): RtuKnobs => ({
  silent: false,
  deaf: false,
  late_ms: 0,
  bad_crc: false,
  truncate: null,
  doubled: false,
  repeat_after_ms: null,
  early: false,
  foreign: false,
  exception: null,
  port_held: false,
  unplugged: false,
});

/** The knobs that spoil answers. */
export function lastingFault(knobs: RtuKnobs): RtuFault {
  const { silent, deaf, late_ms, bad_crc, truncate, doubled, repeat_after_ms, early, foreign } = knobs;
  return {
    silent,
    deaf,
    late_ms,
    bad_crc,
    doubled,
    early,
    foreign,
    truncate: truncate ?? undefined,
    repeat_after_ms: repeat_after_ms ?? undefined,
  };
}
