import * as z from 'zod';
import type { Config } from '../../../lib/config/types.ts';
import { type Route, route } from '../../../lib/http/route.ts';
import { configuredPeripherals } from '../configured-peripherals.ts';
import type { Firmware } from '../firmware.ts';
import { api } from './paths.ts';

const ASK_MS = 2500;

export function hardwareRoutes(firmware: Firmware, config: Config): Route[] {
  return [
    route({
      method: 'GET',
      path: api('/hardware/peripherals'),
      summary: 'The peripherals of the bridge; while it does not answer, those that are configured',
      answer: z.object({
        count: z.number(),
        peripherals: z.array(
          z.looseObject({ id: z.string(), type: z.string(), connected: z.boolean(), status: z.string() }),
        ),
        firmware: z.object({ url: z.string(), reachable: z.boolean() }),
      }),
      handler: async ({ signal }) => {
        const told = await firmware.get('/api/v1/peripherals', ASK_MS, signal);
        const { url } = firmware;
        if ('said' in told && Array.isArray(told.said.peripherals))
          return { ...told.said, firmware: { url, reachable: true } };
        const error = 'said' in told ? 'its answer lists no peripherals' : told.silence;
        const peripherals = configuredPeripherals(config);
        return {
          mode: config.hardwareMode,
          count: peripherals.length,
          peripherals,
          firmware: { url, reachable: false, error },
        };
      },
    }),
  ];
}
