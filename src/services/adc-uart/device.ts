import * as z from 'zod';
import { type Route, route } from '../../lib/http/route.ts';
import type { AdcSurroundings } from '../../rig/adc/adc-service.ts';
import { componentSchema, knownHealth, uartProbe } from '../../rig/adc/health.ts';
import { UART_ADC_BAUD } from '../../rig/adc/settings.ts';
import { UART_ADC, type UartAdc } from '../../rig/adc/uart-adc.ts';
import { identityMembers } from '../../rig/service/answer-members.ts';
import { healthQuery } from '../../rig/service/known-health.ts';

const deviceAnswer = z.object({
  product: z.string(),
  adapter: z.literal(UART_ADC),
  adc_chip: z.string(),
  channels: z.array(z.string()),
  measurement_range_volts: z.tuple([z.literal(0), z.literal(10)]),
  effective_bits: z.int(),
  nominal_resolution_millivolts: z.number(),
  reported_unit: z.string(),
  transport: z.string(),
  serial_port: z.string(),
  baudrate: z.int(),
  protocol: z.object({ probe: z.string(), read: z.string(), write: z.string() }),
});

/** Health, and what the module is. */
export function deviceRoutes(adc: UartAdc, { clock, meters, identity }: AdcSurroundings): Route[] {
  const known = knownHealth({ clock, meters }, uartProbe(adc));
  return [
    route({
      method: 'GET',
      path: '/health',
      summary: 'Whether the module answers AT with OK; within 100 ms',
      access: 'open',
      query: healthQuery,
      answer: componentSchema.extend(identityMembers),
      handler: async ({ query }) => {
        const { health } = await known.get(query.wait_ms, query.max_age_ms);
        return { ...health, ...identity };
      },
    }),
    route({
      method: 'GET',
      path: '/api/v1/device',
      summary: 'Parameters of UART and ADC, also without the module',
      answer: deviceAnswer,
      handler: () => ({
        product: 'DFR1184',
        adapter: UART_ADC,
        adc_chip: 'ADS1115',
        channels: ['AIN1', 'AIN2'],
        measurement_range_volts: [0, 10],
        effective_bits: 15,
        nominal_resolution_millivolts: 0.3125,
        reported_unit: '0.01 mV',
        transport: `UART ${UART_ADC_BAUD} 8N1`,
        serial_port: adc.endpoint,
        baudrate: UART_ADC_BAUD,
        protocol: { probe: 'AT\r\n', read: '0xbb', write: '0xcc' },
      }),
    }),
  ];
}
