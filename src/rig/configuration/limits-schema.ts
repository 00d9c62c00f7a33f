import * as z from 'zod';
import { DEFAULT_LIMITS } from './types.ts';

const upTo = (schema: z.ZodNumber, min: number, max: number, unit: string, description: string) =>
  schema
    .min(min, `must be ${min}..${max} ${unit}`)
    .max(max, `must be ${min}..${max} ${unit}: a limit narrows what the devices can do`)
    .optional()
    .describe(`${description}, ${min}..${max} ${unit}; default ${max}.`);

const { pumpMaxPct, pumpMaxHoldS, lungMaxSteps, lungMaxSpeed, lungMaxCycles, runMaxS } = DEFAULT_LIMITS;
/** Seconds. */
const LONGEST_HOLD_S = 3600;
const whole = () => z.int('must be a whole number');

/** Bounds of setpoints and runs; narrower than the devices' own, never wider. */
export const limitsSchema = z
  .strictObject({
    pump: z
      .strictObject({
        max_power_pct: upTo(z.number('must be %'), 0, pumpMaxPct, '%', 'Most power of the pump'),
        max_hold_s: z
          .number('must be seconds')
          .min(1, `must be 1..${LONGEST_HOLD_S} s`)
          .max(LONGEST_HOLD_S, `must be 1..${LONGEST_HOLD_S} s`)
          .optional()
          .describe(
            `Longest time that svc-pump lets the pump run without a renewal, 1..${LONGEST_HOLD_S} s; default ${pumpMaxHoldS}.`,
          ),
      })
      .prefault({})
      .describe('Limits of the pump.'),
    lung: z
      .strictObject({
        max_steps: upTo(whole(), 1, lungMaxSteps, 'steps', 'Longest stroke of the lung'),
        max_speed: upTo(whole(), 1, lungMaxSpeed, '1/10000 step/s', 'Highest speed of the lung'),
        max_cycles: upTo(whole(), 1, lungMaxCycles, 'cycles', 'Most cycles of one start'),
      })
      .prefault({})
      .describe('Limits of the lung.'),
    run: z
      .strictObject({
        max_duration_s: upTo(z.number('must be seconds'), 1, runMaxS, 's', 'Longest run'),
      })
      .prefault({})
      .describe('Limits of a run.'),
  })
  .prefault({})
  .describe('What may be asked of this rig at most. Narrower than the devices, never wider.');
