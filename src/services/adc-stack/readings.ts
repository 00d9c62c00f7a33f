import * as z from 'zod';
import { type Route, route } from '../../lib/http/route.ts';
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
import { identityOf, readChannels, sampleCostMs } from './channels.ts';
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

/** Readings of the logical channels (services.md section 4.2). */
export function readingRoutes(stack: Stack, { meters }: AdcSurroundings): Route[] {
  const read = async (names: readonly LogicalName[], samples: number, signal: AbortSignal) => {
    const request = { samples, delayMs: 0 };
    const limitMs = sampleLimitMs(request, sampleCostMs(stack, names));
    const outcomes = await readChannels(stack, names, request, { signal, limitMs });
    for (const [name, outcome] of outcomes) meters.reading(name, stack.sources[name].adapter, outcome);
    return {
      items: [...outcomes].map(([name, outcome]) => logicalItem(stack, name, outcome)),
      outcomes: [...outcomes.values()],
    };
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
        const { items, outcomes } = await read(LOGICAL_NAMES, query.samples, signal);
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
      handler: async ({ params, query, signal }) => {
        const number = channelOf(params.n, NUMBERS);
        const { items, outcomes } = await read([`ai0${number}`], query.samples, signal);
        const [item] = items;
        const [outcome] = outcomes;
        if (!item || !outcome) throw new TypeError(`no outcome of channel ${number}`);
        return singleAnswer(item, outcome);
      },
    }),
  ];
}

function logicalItem(stack: Stack, name: LogicalName, outcome: Outcome<Reading>) {
  const who = {
    ...identityOf(stack, name),
    ...(stack.ledger.isConfirmed(name) ? {} : { calibration_confirmed: false as const }),
  };
  return outcome.ok
    ? { ok: true as const, ...who, reading: outcome.reading }
    : { ok: false as const, ...who, ...failure(outcome.error) };
}
