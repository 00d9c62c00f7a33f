import * as z from 'zod';
import { LONGEST_HOLD_S } from './settings.ts';

const direction = z.enum(['forward', 'reverse']);
const holdS = z
  .number()
  .min(1, 'must be 1 s or more')
  .max(LONGEST_HOLD_S, `must be ${LONGEST_HOLD_S} s, a day, or less`)
  .describe('seconds after which it is stopped unless it is renewed');

const whole = (least: number, most: number) => {
  const message = `must be a whole number from ${least} to ${most}`;
  return z.int(message).min(least, message).max(most, message);
};

/** POST /api/lung (services specification, section 9). */
export const startSchema = z.strictObject({
  steps: whole(1, 1_000_000).describe('microsteps of a stroke'),
  speed: whole(1, 500_000_000).describe('1/10000 step/s'),
  cycles: whole(1, 10_000).describe('strokes out and back'),
  pause: z
    .number()
    .min(0, 'must be 0..60 s')
    .max(60, 'must be 0..60 s')
    .default(0.5)
    .describe('seconds at each turn'),
  direction: direction.default('forward').describe('of the stroke out'),
  limit_mode: z.enum(['reverse_on_limit', 'stop']).default('reverse_on_limit'),
  hold_s: holdS.optional(),
});

/** POST /api/energize */
export const energizeSchema = z.strictObject({ enable: z.boolean(), hold_s: holdS.optional() });

/** POST /api/home */
export const homeSchema = z.strictObject({ direction, hold_s: holdS.optional() });

/** POST /api/hold */
export const holdSchema = z.strictObject({ hold_s: holdS });
