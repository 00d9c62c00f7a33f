import * as z from 'zod';
import type { Route } from '../../lib/http/route.ts';
import type { AdcSurroundings } from '../../rig/adc/adc-service.ts';
import { channelRoutes } from '../../rig/adc/channel-routes.ts';
import { failure, type Item, ItemTexts } from '../../rig/adc/items.ts';
import { failedMembers } from '../../rig/adc/problem.ts';
import {
  bankReadingSchema,
  type Outcome,
  type Reading,
  uartReadingSchema,
  usbReadingSchema,
} from '../../rig/adc/reading.ts';
import { sampleLimitMs, samplesQuery } from '../../rig/adc/samples.ts';
import { LOGICAL_NAMES, type LogicalName } from '../../rig/adc/settings.ts';
import { identityOf, keptReadings, readChannels, sampleCostMs } from './channels.ts';
import type { Stack } from './stack.ts';

const identity = {
  logical_channel: z.int().min(1).max(3),
  logical_name: z.enum(LOGICAL_NAMES),
  adapter: z.string(),
  physical_input: z.string(),
  nominal_range_volts: z.tuple([z.literal(0), z.number()]),
  unit: z.literal('V'),
  /** There, and false, until a person confirms the pressure calibration for the channel's source. */
  calibration_confirmed: z.literal(false).optional(),
};
const reading = z.union([usbReadingSchema, uartReadingSchema, bankReadingSchema]);
const good = z.object({ ok: z.literal(true), ...identity, reading });
const failed = z.object({ ok: z.literal(false), ...identity, ...failedMembers });

const NUMBERS = [1, 2, 3] as const;
type LogicalNumber = (typeof NUMBERS)[number];

/** Readings of the logical channels. */
export function readingRoutes(stack: Stack, { meters }: AdcSurroundings): Route[] {
  const texts = new ItemTexts();
  return channelRoutes({
    channels: NUMBERS,
    summaries: {
      all: 'Readings of ai01, ai02 and ai03; 503 when there is none',
      one: 'Reading of one logical channel: 1, 2, 3 for ai01, ai02, ai03',
    },
    query: samplesQuery,
    forms: { good, failed },
    read: async (numbers, { samples, max_age_ms: maxAgeMs }, signal) => {
      const names = numbers.map(nameOf);
      const request = { samples, delayMs: 0 };
      const limits = { signal, limitMs: sampleLimitMs(request, sampleCostMs(stack, names)) };
      const outcomes =
        keptReadings(stack, names, maxAgeMs) ??
        (await readChannels(stack, names, request, limits, names.length === 1 ? maxAgeMs : 0));
      return [...outcomes.values()];
    },
    item: (number, outcome) => {
      const name = nameOf(number);
      return logicalItem(stack, name, outcome, stack.ledger.isConfirmed(name));
    },
    meter: (number, outcome) => {
      const name = nameOf(number);
      meters.reading(name, stack.sources[name].adapter, outcome);
    },
    kept: (number, maxAgeMs) => {
      const name = nameOf(number);
      const kept = keptReadings(stack, [name], maxAgeMs)?.get(name);
      if (!kept) return undefined;
      const isConfirmed = stack.ledger.isConfirmed(name, maxAgeMs);
      return texts.reply(kept, isConfirmed, () => logicalItem(stack, name, kept, isConfirmed));
    },
  });
}

const nameOf = (number: LogicalNumber): LogicalName => `ai0${number}`;

function logicalItem(stack: Stack, name: LogicalName, outcome: Outcome<Reading>, isConfirmed: boolean): Item {
  const who = { ...identityOf(stack, name), ...(isConfirmed ? {} : { calibration_confirmed: false }) };
  return outcome.ok
    ? { ok: true, ...who, reading: outcome.reading }
    : { ok: false, ...who, ...failure(outcome.error) };
}
