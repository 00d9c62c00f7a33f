import * as z from 'zod';
import { type Route, route } from '../../../lib/http/route.ts';
import type { Config } from '../../../rig/configuration/types.ts';
import { peripheralSchema } from '../../../rig/hardware/peripherals.ts';
import { configuredPeripherals } from '../configured-peripherals.ts';
import type { Firmware } from '../firmware.ts';
import { api } from './paths.ts';

const ASK_MS = 2500;

const listSchema = z.object({
  mode: z.enum(['mock', 'real']),
  count: z.int(),
  /** `simulated` is the bridge's word; without it nobody was asked. */
  peripherals: z.array(peripheralSchema.extend({ simulated: z.boolean().optional() })),
});

export function hardwareRoutes(firmware: Firmware, config: Config): Route[] {
  return [
    route({
      method: 'GET',
      path: api('/hardware/peripherals'),
      summary: 'The peripherals of the bridge; while it does not answer, those that are configured',
      answer: listSchema.extend({
        firmware: z.object({ url: z.string(), reachable: z.boolean(), error: z.string().optional() }),
      }),
      handler: async ({ signal }) => {
        const told = await firmware.get('/api/v1/peripherals', ASK_MS, signal);
        const { url } = firmware;
        const list = 'said' in told ? listSchema.safeParse(told.said) : undefined;
        if (list?.success) return { ...list.data, firmware: { url, reachable: true } };
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
