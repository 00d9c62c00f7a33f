import type { Route } from '../../lib/http/route.ts';
import type { AdcSurroundings } from '../../rig/adc/adc-service.ts';
import { standaloneRoutes } from '../../rig/adc/channel-routes.ts';
import { uartReadingSchema } from '../../rig/adc/reading.ts';
import { delayedSamplesQuery, sampleLimitMs, UART_SAMPLE_MS } from '../../rig/adc/samples.ts';
import { UART_INPUTS, type UartAdc, uartInput } from '../../rig/adc/uart-adc.ts';

/** Readings of AIN1 and AIN2. */
export function readingRoutes(adc: UartAdc, { meters }: AdcSurroundings): Route[] {
  return standaloneRoutes({
    channels: UART_INPUTS,
    summaries: {
      all: 'Readings of AIN1 and AIN2; 503 when there is none',
      one: 'Reading of one input: 1 or 2 for AIN1, AIN2',
    },
    query: delayedSamplesQuery,
    reading: uartReadingSchema,
    input: uartInput,
    read: (inputs, { samples, sample_delay, max_age_ms: maxAgeMs }, signal) => {
      const request = { samples, delayMs: sample_delay * 1000 };
      const limitMs = sampleLimitMs(request, inputs.length * UART_SAMPLE_MS);
      return adc.read(inputs, request, { signal, limitMs }, maxAgeMs);
    },
    kept: (input, maxAgeMs) => adc.kept(input, maxAgeMs),
    meters,
  });
}
