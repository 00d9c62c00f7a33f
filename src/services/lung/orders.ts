import * as z from 'zod';
import { DEFAULT_LIMITS, type Limits } from '../../rig/configuration/types.ts';
import { LONGEST_HOLD_S } from './settings.ts';

const direction = z.enum(['forward', 'reverse']);
const holdS = z
  .number()
  .min(1, 'must be 1 s or more')
  .max(LONGEST_HOLD_S, `must be ${LONGEST_HOLD_S} s, a day, or less`)
  .describe('seconds after which it is stopped unless it is renewed');

type LungLimit = 'lungMaxSteps' | 'lungMaxSpeed' | 'lungMaxCycles';
const KEYS: Readonly<Record<LungLimit, string>> = {
  lungMaxSteps: 'limits.lung.max_steps',
  lungMaxSpeed: 'limits.lung.max_speed',
  lungMaxCycles: 'limits.lung.max_cycles',
};

const upTo = (limits: Limits, name: LungLimit) => {
  const most = limits[name];
  const key = most < DEFAULT_LIMITS[name] ? ` (${KEYS[name]} in svc.yaml)` : '';
  const message = `must be a whole number from 1 to ${most}${key}`;
  return z.int(message).min(1, message).max(most, message);
};

/** POST /api/lung, within the limits of this rig. */
export const startSchema = (limits: Limits) =>
  z.strictObject({
    steps: upTo(limits, 'lungMaxSteps').describe('microsteps of a stroke'),
    speed: upTo(limits, 'lungMaxSpeed').describe('1/10000 step/s'),
    cycles: upTo(limits, 'lungMaxCycles').describe('strokes out and back'),
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
