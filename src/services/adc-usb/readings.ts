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
import { channelParams, READING_DEADLINE_MS, samplesQuery } from '../../rig/adc/answer/queries.ts';
import { type UsbReading, usbReadingSchema } from '../../rig/adc/answer/reading.ts';
import {
  type AdcChannel,
  HID_ADC,
  HID_CHANNELS,
  type HidAdc,
  hidInput,
} from '../../rig/adc/device/hid-adc.ts';
import type { Outcome } from '../../rig/adc/device/outcome.ts';
import { HID_SAMPLE_MS, sampleLimitMs } from '../../rig/adc/sample-budget.ts';
import type { AdcSurroundings } from '../../rig/adc/service/adc-service.ts';

const { channel, input_name, adapter, physical_input } = usbReadingSchema.shape;
const good = usbReadingSchema.extend({
  ok: z.literal(true),
  unit: z.literal('V'),
  reading: usbReadingSchema,
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

type Query = z.output<typeof samplesQuery>;

/** Readings of G1 to G3. */
export function readingRoutes(adc: HidAdc, { meters }: AdcSurroundings): Route[] {
  const texts = new ItemTexts();
  const read = async ({ samples, max_age_ms: maxAgeMs }: Query, signal: AbortSignal) => {
    const limitMs = sampleLimitMs({ samples, delayMs: 0 }, HID_SAMPLE_MS);
    return adc.read(samples, { signal, limitMs }, maxAgeMs);
  };
  const itemOf = (number: AdcChannel, outcome: Outcome<UsbReading>) =>
    standaloneItem({ channel: number, ...hidInput(number) }, outcome);
  const metered = (number: AdcChannel, outcome: Outcome<UsbReading>) => {
    meters.reading(hidInput(number).input_name, HID_ADC, outcome);
    return itemOf(number, outcome);
  };
  const single = async (number: AdcChannel, query: Query, signal: AbortSignal) => {
    const outcome = (await read(query, signal))[number - 1];
    if (!outcome) throw new TypeError(`no outcome of channel ${number}`);
    return singleAnswer(metered(number, outcome), outcome);
  };
  return [
    route({
      method: 'GET',
      path: '/api/v1/adc',
      summary: 'Readings of G1, G2 and G3; 503 when there is none',
      query: samplesQuery,
      answer: z.array(z.union([good, failed])),
      deadlineMs: READING_DEADLINE_MS,
      handler: async ({ query, signal, request }) => {
        refuseEmptyChannel(request.url, HID_CHANNELS);
        const outcomes = await read(query, signal);
        const items = HID_CHANNELS.flatMap((number, index) => {
          const outcome = outcomes[index];
          return outcome ? [metered(number, outcome)] : [];
        });
        return batchAnswer(items, outcomes);
      },
    }),
    route({
      method: 'GET',
      path: '/api/v1/adc/:n',
      summary: 'Reading of one input: 1, 2, 3 for G1, G2, G3',
      params: channelParams('^[123]$'),
      query: samplesQuery,
      answer: good,
      deadlineMs: READING_DEADLINE_MS,
      handler: (context) => {
        const { params, query } = context;
        const number = channelOf(params.n, HID_CHANNELS);
        const kept = adc.kept(number, query.max_age_ms);
        if (kept) return texts.reply(kept, number, () => itemOf(number, kept));
        return single(number, query, context.signal);
      },
    }),
  ];
}
