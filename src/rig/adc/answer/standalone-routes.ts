import * as z from 'zod';
import type { Route } from '../../../lib/http/route.ts';
import type { InputNames } from '../device/hid-adc.ts';
import type { Outcome } from '../device/outcome.ts';
import { channelRoutes, type ReadChannels } from './channel-routes.ts';
import { failedMembers } from './failed-members.ts';
import { ItemTexts } from './item-texts.ts';
import { failure, type Item } from './items.ts';
import type { Meters } from './meters.ts';
import type { ReadingQuery } from './queries.ts';
import type { Reading } from './reading.ts';

/** One adapter of profile `standalone`, whose items are its readings. */
export interface StandaloneAdc<C extends number, Q extends ReadingQuery>
  extends Pick<ReadChannels<C, Q>, 'channels' | 'summaries' | 'query' | 'read'> {
  /** Form of its readings. */
  reading: z.ZodObject;
  input(channel: C): InputNames;
  /** A sample that may be served again. */
  kept(channel: C, maxAgeMs: number): Outcome<Reading> | undefined;
  meters: Meters;
}

/** Readings of :8212 and :8213: an item has the reading's members, and once more the reading (services.md section 4.3). */
export function standaloneRoutes<C extends number, Q extends ReadingQuery>(
  adc: StandaloneAdc<C, Q>,
): Route[] {
  const { reading } = adc;
  const good = reading.extend({ ok: z.literal(true), unit: z.literal('V'), reading });
  const texts = new ItemTexts();
  const item = (channel: C, outcome: Outcome<Reading>): Item =>
    outcome.ok
      ? { ok: true, unit: 'V', ...outcome.reading, reading: outcome.reading }
      : { ok: false, unit: 'V', channel, ...adc.input(channel), ...failure(outcome.error) };
  return channelRoutes({
    ...adc,
    forms: { good, failed },
    item,
    meter: (channel, outcome) => {
      const { input_name, adapter } = adc.input(channel);
      adc.meters.reading(input_name, adapter, outcome);
    },
    kept: (channel, maxAgeMs) => {
      const kept = adc.kept(channel, maxAgeMs);
      return kept && texts.reply(kept, channel, () => item(channel, kept));
    },
  });
}

const failed = z.object({
  ok: z.literal(false),
  unit: z.literal('V'),
  channel: z.int(),
  input_name: z.string(),
  adapter: z.string(),
  physical_input: z.string(),
  ...failedMembers,
});
