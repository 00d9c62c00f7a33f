import * as z from 'zod';
import type { Bench, BenchDevice } from '../../../bench/bench.ts';
import { type Route, route } from '../../../lib/http/route.ts';

/** A name that is unknown is told by the bench, which knows what it has. */
export const deviceParams = z.object({ device: z.string().transform((name) => name as BenchDevice) });

/** Devices, their knobs and faults, and the outputs as they are in truth. */
export function deviceRoutes(bench: Bench): Route[] {
  return [
    route({
      method: 'GET',
      path: '/bench/v1/devices',
      summary: 'Devices with addresses, knobs and the faults they take',
      handler: () => ({ ok: true, devices: bench.devices() }),
    }),
    route({
      method: 'GET',
      path: '/bench/v1/outputs',
      summary: 'Coils, pump, lung and plant as they are in truth, and who is connected',
      handler: () => ({ ok: true, ...bench.outputs }),
    }),
    route({
      method: 'PATCH',
      path: '/bench/v1/:device/knobs',
      summary: 'Turns knobs; answers when they have taken effect',
      actuating: true,
      params: deviceParams,
      body: z.record(z.string(), z.unknown()),
      handler: async ({ params: { device }, body }) => ({
        ok: true,
        device,
        knobs: await bench.setKnobs(device, body),
      }),
    }),
    route({
      method: 'POST',
      path: '/bench/v1/:device/faults',
      summary: 'Spoils the next answers, one fault for each',
      actuating: true,
      params: deviceParams,
      body: z.strictObject({ faults: z.array(z.unknown()).min(1).max(10_000) }),
      handler: ({ params: { device }, body: { faults } }) => {
        bench.faultOnce(device, faults);
        return { ok: true, device, faults: faults.length };
      },
    }),
    route({
      method: 'POST',
      path: '/bench/v1/reset',
      summary: 'Outputs off, knobs, faults and plant at rest',
      ignoresForm: true,
      handler: async () => {
        await bench.reset();
        return { ok: true };
      },
    }),
  ];
}
