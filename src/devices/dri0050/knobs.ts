import * as z from 'zod';

/** Knobs of the pump twin (devices.md section 11). */
export const dri0050KnobsSchema = z.strictObject({
  /** Carries requests out and does not answer. */
  silent: z.boolean(),
  /** Hears nothing: does nothing and does not answer. */
  deaf: z.boolean(),
  /** Answers as some other device of the same maker. */
  wrong_pid: z.boolean(),
  late_ms: z.number().min(0).max(60_000),
  bad_crc: z.boolean(),
  truncate: z.int().min(0).max(256).nullable(),
  doubled: z.boolean(),
  foreign: z.boolean(),
  exception: z.int().min(1).max(255).nullable(),
  /** The duty register echoes writes and keeps its value. */
  duty_stuck: z.boolean(),
  port_held: z.boolean(),
  unplugged: z.boolean(),
});

export const dri0050Knobs = (): z.infer<typeof dri0050KnobsSchema> => ({
  silent: false,
  deaf: false,
  wrong_pid: false,
  late_ms: 0,
  bad_crc: false,
  truncate: null,
  doubled: false,
  foreign: false,
  exception: null,
  duty_stuck: false,
  port_held: false,
  unplugged: false,
});
