import type { Route } from '../../lib/http/route.ts';
import type { AdcSurroundings } from '../../rig/adc/adc-service.ts';
import { standaloneRoutes } from '../../rig/adc/channel-routes.ts';
import { HID_CHANNELS, type HidAdc, hidInput } from '../../rig/adc/hid-adc.ts';
import { usbReadingSchema } from '../../rig/adc/reading.ts';
import { HID_SAMPLE_MS, sampleLimitMs, samplesQuery } from '../../rig/adc/samples.ts';

/** Readings of G1 to G3. */
export function readingRoutes(adc: HidAdc, { meters }: AdcSurroundings): Route[] {
  return standaloneRoutes({
    channels: HID_CHANNELS,
    summaries: {
      all: 'Readings of G1, G2 and G3; 503 when there is none',
      one: 'Reading of one input: 1, 2, 3 for G1, G2, G3',
    },
    query: samplesQuery,
    reading: usbReadingSchema,
    input: hidInput,
    read: async (channels, { samples, max_age_ms: maxAgeMs }, signal) => {
      const limitMs = sampleLimitMs({ samples, delayMs: 0 }, HID_SAMPLE_MS);
      // The chip reports all its inputs at once.
      const outcomes = await adc.read(samples, { signal, limitMs }, maxAgeMs);
      return channels.flatMap((channel) => outcomes[channel - 1] ?? []);
    },
    kept: (channel, maxAgeMs) => adc.kept(channel, maxAgeMs),
    meters,
  });
}
