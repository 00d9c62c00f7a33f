import * as z from 'zod';
import { type Route, route } from '../../lib/http/route.ts';
import { ItemTexts } from '../../rig/adc/answer/item-texts.ts';
import {
  batchAnswer,
  channelOf,
  failedMembers,
  refuseEmptyChannel,
  singleAnswer,
  standaloneItem,
} from '../../rig/adc/answer/items.ts';
import { channelParams, delayedSamplesQuery, READING_DEADLINE_MS } from '../../rig/adc/answer/queries.ts';
import { type UartReading, uartReadingSchema } from '../../rig/adc/answer/reading.ts';
import type { Outcome } from '../../rig/adc/device/outcome.ts';
import {
  UART_ADC,
  UART_INPUTS,
  type UartAdc,
  type UartInput,
  uartInput,
} from '../../rig/adc/device/uart-adc.ts';
import { sampleLimitMs, UART_SAMPLE_MS } from '../../rig/adc/sample-budget.ts';
import type { AdcSurroundings } from '../../rig/adc/service/adc-service.ts';

const { channel, input_name, adapter, physical_input } = uartReadingSchema.shape;
const good = uartReadingSchema.extend({
  ok: z.literal(true),
  unit: z.literal('V'),
  reading: uartReadingSchema,
});
const failed = z.object({
  ok: z.literal(false),
  unit: z.literal('V'),
  channel,
  input_name,
  adapter,
  physical_input,
  ...failedMembers,
});

type Query = z.output<typeof delayedSamplesQuery>;

/** Readings of AIN1 and AIN2. */
export function readingRoutes(adc: UartAdc, { meters }: AdcSurroundings): Route[] {
  const texts = new ItemTexts();
  const itemOf = (number: UartInput, outcome: Outcome<UartReading>) =>
    standaloneItem({ channel: number, ...uartInput(number) }, outcome);
  const read = async (inputs: readonly UartInput[], query: Query, signal: AbortSignal) => {
    const request = { samples: query.samples, delayMs: query.sample_delay * 1000 };
    const limitMs = sampleLimitMs(request, inputs.length * UART_SAMPLE_MS);
    const outcomes = await adc.read(inputs, request, { signal, limitMs }, query.max_age_ms);
    const items = inputs.flatMap((number, index) => {
      const outcome = outcomes[index];
      if (!outcome) return [];
      meters.reading(uartInput(number).input_name, UART_ADC, outcome);
      return [itemOf(number, outcome)];
    });
    return { items, outcomes };
  };
  const single = async (number: UartInput, query: Query, signal: AbortSignal) => {
    const { items, outcomes } = await read([number], query, signal);
    const [item] = items;
    const [outcome] = outcomes;
    if (!item || !outcome) throw new TypeError(`no outcome of input ${number}`);
    return singleAnswer(item, outcome);
  };
  return [
    route({
      method: 'GET',
      path: '/api/v1/adc',
      summary: 'Readings of AIN1 and AIN2; 503 when there is none',
      query: delayedSamplesQuery,
      answer: z.array(z.union([good, failed])),
      deadlineMs: READING_DEADLINE_MS,
      handler: async ({ query, signal, request }) => {
        refuseEmptyChannel(request.url, UART_INPUTS);
        const { items, outcomes } = await read(UART_INPUTS, query, signal);
        return batchAnswer(items, outcomes);
      },
    }),
    route({
      method: 'GET',
      path: '/api/v1/adc/:n',
      summary: 'Reading of one input: 1 or 2 for AIN1, AIN2',
      params: channelParams('^[12]$'),
      query: delayedSamplesQuery,
      answer: good,
      deadlineMs: READING_DEADLINE_MS,
      handler: (context) => {
        const { params, query } = context;
        const number = channelOf(params.n, UART_INPUTS);
        const kept = adc.kept(number, query.max_age_ms);
        if (kept) return texts.reply(kept, number, () => itemOf(number, kept));
        return single(number, query, context.signal);
      },
    }),
  ];
}
