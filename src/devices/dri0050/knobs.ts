import * as z from 'zod';
import { rtuKnobShape, rtuKnobs } from '../modbus-rtu/knobs.ts';

/** Knobs of the pump twin. */
export const dri0050KnobsSchema = z.strictObject({
  ...rtuKnobShape,
  /** Answers as some other device of the same maker. */
  wrong_pid: z.boolean(),
  /** The duty register echoes writes and keeps its value. */
  duty_stuck: z.boolean(),
});

export const dri0050Knobs = (): z.infer<typeof dri0050KnobsSchema> => ({
  ...rtuKnobs(),
  wrong_pid: false,
  duty_stuck: false,
});
