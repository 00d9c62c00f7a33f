import * as z from 'zod';
import { DEVICE_PROBLEMS } from '../../lib/http/problem-schema.ts';
import type { Reply } from '../../lib/http/reply.ts';
import { type Route, route } from '../../lib/http/route.ts';
import type { InputNames } from './hid-adc.ts';
import {
  batchAnswer,
  channelOf,
  failure,
  type Item,
  ItemTexts,
  refuseEmptyChannel,
  singleAnswer,
  type Told,
} from './items.ts';
import type { Meters } from './meters.ts';
import { failedMembers } from './problem.ts';
import type { Outcome, Reading } from './reading.ts';
import { channelParams, READING_DEADLINE_MS, type ReadingQuery } from './samples.ts';

/** The channels of an ADC service, and how one becomes an item of an answer. */
interface ReadChannels<C extends number, Q extends ReadingQuery> {
  channels: readonly C[];
  /** For openapi.json: of all channels, and of one. */
  summaries: { all: string; one: string };
  query: Q;
  /** Forms of an item with a reading and without one, for openapi.json. */
  forms: { good: z.ZodObject; failed: z.ZodObject };
  /** What became of each of these channels, in their order. */
  read(channels: readonly C[], query: z.output<Q>, signal: AbortSignal): Promise<readonly Outcome<Reading>[]>;
  item(channel: C, outcome: Outcome<Reading>): Item;
  meter(channel: C, outcome: Outcome<Reading>): void;
  /** The answer of a sample that may be served again; undefined when there is none. */
  kept(channel: C, maxAgeMs: number): Reply | undefined;
}

const PROBLEMS = [...DEVICE_PROBLEMS, 'invalid_channel', 'sample_budget_exceeded'] as const;

/** `/api/v1/adc`, of all channels and of one. */
export function channelRoutes<C extends number, Q extends ReadingQuery>(adc: ReadChannels<C, Q>): Route[] {
  const { channels, summaries, query, forms } = adc;
  const told = (channel: C, outcome: Outcome<Reading> | undefined): Told<Item> => {
    if (!outcome) throw new TypeError(`no outcome of channel ${channel}`);
    adc.meter(channel, outcome);
    return { item: adc.item(channel, outcome), outcome };
  };
  const single = async (channel: C, query: z.output<Q>, signal: AbortSignal) => {
    const [outcome] = await adc.read([channel], query, signal);
    return singleAnswer(told(channel, outcome));
  };
  return [
    route({
      method: 'GET',
      path: '/api/v1/adc',
      summary: summaries.all,
      query,
      answer: z.array(z.union([forms.good, forms.failed])),
      problems: PROBLEMS,
      deadlineMs: READING_DEADLINE_MS,
      handler: async ({ query, signal, request }) => {
        refuseEmptyChannel(request.url, channels);
        const outcomes = await adc.read(channels, query, signal);
        return batchAnswer(channels.map((channel, index) => told(channel, outcomes[index])));
      },
    }),
    route({
      method: 'GET',
      path: '/api/v1/adc/:n',
      summary: summaries.one,
      params: channelParams(`^[${channels.join('')}]$`),
      query,
      answer: forms.good,
      problems: PROBLEMS,
      deadlineMs: READING_DEADLINE_MS,
      handler: ({ params, query, signal }) => {
        const channel = channelOf(params.n, channels);
        return adc.kept(channel, query.max_age_ms) ?? single(channel, query, signal);
      },
    }),
  ];
}

/** One adapter of profile `standalone`, whose items are its readings. */
interface StandaloneAdc<C extends number, Q extends ReadingQuery>
  extends Pick<ReadChannels<C, Q>, 'channels' | 'summaries' | 'query' | 'read'> {
  /** Form of its readings. */
  reading: z.ZodObject;
  input(channel: C): InputNames;
  /** A sample that may be served again. */
  kept(channel: C, maxAgeMs: number): Outcome<Reading> | undefined;
  meters: Meters;
}

/** Readings of :8212 and :8213: an item has the reading's members, and once more the reading. */
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
