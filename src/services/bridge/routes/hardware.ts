import * as z from 'zod';
import { type Route, route } from '../../../lib/http/route.ts';
import type { Bridge } from '../bridge.ts';
import { hardwareHealth } from '../hardware-health.ts';
import { hardwareHealthSchema, identifySchema } from '../hardware-schema.ts';
import { identify } from '../identify.ts';

export function hardwareRoutes(bridge: Bridge): Route[] {
  const plugins = bridge.config.plugins.map(({ id }) => id);
  const healthAnswer = hardwareHealthSchema(Object.keys(bridge.config.healthKeys), plugins);
  return [
    route({
      method: 'GET',
      path: '/api/v1/hardware/health',
      summary: 'Live state of every configured plugin, within 3 s',
      answer: healthAnswer,
      handler: () => hardwareHealth(bridge),
    }),
    route({
      method: 'GET',
      path: '/api/v1/hardware/identify',
      summary: 'What hardware is there; lists come from sysfs',
      query: z.object({
        scan: z.enum(['auto', 'always', 'never'], 'must be auto, always or never').default('auto'),
      }),
      answer: identifySchema(healthAnswer, plugins),
      handler: ({ query }) => identify(bridge, query.scan),
    }),
  ];
}
