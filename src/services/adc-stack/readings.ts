import * as z from 'zod';
import { type Route, route } from '../../lib/http/route.ts';
import { ItemTexts } from '../../rig/adc/answer/item-texts.ts';
import {
  batchAnswer,
  channelOf,
  failedMembers,
  failure,
  refuseEmptyChannel,
  singleAnswer,
} from '../../rig/adc/answer/items.ts';
import { channelParams, READING_DEADLINE_MS, samplesQuery } from '../../rig/adc/answer/queries.ts';
import {
  bankReadingSchema,
  type Reading,
  uartReadingSchema,
  usbReadingSchema,
} from '../../rig/adc/answer/reading.ts';
import type { Outcome } from '../../rig/adc/device/outcome.ts';
import { sampleLimitMs } from '../../rig/adc/sample-budget.ts';
import type { AdcSurroundings } from '../../rig/adc/service/adc-service.ts';
import { LOGICAL_NAMES, type LogicalName } from '../../rig/adc/settings/bank-settings.ts';
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

type Query = z.output<typeof samplesQuery>;

const NUMBERS = [1, 2, 3] as const;

/** Readings of the logical channels (services.md section 4.2). */
export function readingRoutes(stack: Stack, { meters }: AdcSurroundings): Route[] {
  const texts = new ItemTexts();
  const read = async (names: readonly LogicalName[], query: Query, signal: AbortSignal) => {
    const request = { samples: query.samples, delayMs: 0 };
    const limitMs = sampleLimitMs(request, sampleCostMs(stack, names));
    const outcomes =
      keptReadings(stack, names, query.max_age_ms) ??
      (await readChannels(
        stack,
        names,
        request,
        { signal, limitMs },
        names.length === 1 ? query.max_age_ms : 0,
      ));
    for (const [name, outcome] of outcomes) meters.reading(name, stack.sources[name].adapter, outcome);
    return {
      items: [...outcomes].map(([name, outcome]) =>
        logicalItem(stack, name, outcome, stack.ledger.isConfirmed(name)),
      ),
      outcomes: [...outcomes.values()],
    };
  };
  const single = async (name: LogicalName, query: Query, signal: AbortSignal) => {
    const { items, outcomes } = await read([name], query, signal);
    const [item] = items;
    const [outcome] = outcomes;
    if (!item || !outcome) throw new TypeError(`no outcome of ${name}`);
    return singleAnswer(item, outcome);
  };
  return [
    route({
      method: 'GET',
      path: '/api/v1/adc',
      summary: 'Readings of ai01, ai02 and ai03; 503 when there is none',
      query: samplesQuery,
      answer: z.array(z.union([good, failed])),
      deadlineMs: READING_DEADLINE_MS,
      handler: async ({ query, signal, request }) => {
        refuseEmptyChannel(request.url, NUMBERS);
        const { items, outcomes } = await read(LOGICAL_NAMES, query, signal);
        return batchAnswer(items, outcomes);
      },
    }),
    route({
      method: 'GET',
      path: '/api/v1/adc/:n',
      summary: 'Reading of one logical channel: 1, 2, 3 for ai01, ai02, ai03',
      params: channelParams('^[123]$'),
      query: samplesQuery,
      answer: good,
      deadlineMs: READING_DEADLINE_MS,
      handler: (context) => {
        const { params, query } = context;
        const name = `ai0${channelOf(params.n, NUMBERS)}` as const;
        const kept = keptReadings(stack, [name], query.max_age_ms)?.get(name);
        if (kept) {
          const isConfirmed = stack.ledger.isConfirmed(name, query.max_age_ms);
          return texts.reply(kept, isConfirmed, () => logicalItem(stack, name, kept, isConfirmed));
        }
        return single(name, query, context.signal);
      },
    }),
  ];
}

function logicalItem(stack: Stack, name: LogicalName, outcome: Outcome<Reading>, isConfirmed: boolean) {
  const who = {
    ...identityOf(stack, name),
    ...(isConfirmed ? {} : { calibration_confirmed: false as const }),
  };
  return outcome.ok
    ? { ok: true as const, ...who, reading: outcome.reading }
    : { ok: false as const, ...who, ...failure(outcome.error) };
}
