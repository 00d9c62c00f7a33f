import * as z from 'zod';
import type { Bench, BenchDeviceName } from '../../../bench/bench.ts';
import { OUTPUT_SHAPE } from '../../../bench/devices/index.ts';
import { type Route, route } from '../../../lib/http/route.ts';

/** A name that is unknown is reported by the bench, which knows what it has. */
export const deviceParams = z.object({ device: z.string().transform((name) => name as BenchDeviceName) });

const ok = z.literal(true);
const knobs = z.record(z.string(), z.unknown());
const listing = z.object({
  device: z.string(),
  /** Of its first port; null for the plant. */
  address: z.string().nullable(),
  /** Where the address leads now; null while the device is pulled out. */
  path: z.string().nullable(),
  ports: z.array(
    z.object({
      name: z.string(),
      address: z.string(),
      path: z.string().nullable(),
      clients: z.int().nullable(),
    }),
  ),
  knobs,
  faults: z.array(z.string()),
});
const outputs = z.object({
  ok,
  ...OUTPUT_SHAPE,
  plant: z.object({
    pump_flow_lpm: z.number(),
    pressure_v: z.array(z.number()),
    lung_volume_l: z.number(),
    lung_flow_lpm: z.number(),
    supply_v: z.number(),
    valves_open: z.array(z.boolean()),
  }),
  /** Clients of each socket. */
  clients: z.record(z.string(), z.int()),
});
const BENCH_PROBLEMS = ['not_found', 'device_unavailable'] as const;

/** Devices, their knobs and faults, and the outputs as they are in truth. */
export function deviceRoutes(bench: Bench): Route[] {
  return [
    route({
      method: 'GET',
      path: '/bench/v1/devices',
      summary: 'Devices with addresses, knobs and the faults they take',
      answer: z.object({ ok, devices: z.array(listing) }),
      handler: () => ({ ok: true, devices: bench.devices() }),
    }),
    route({
      method: 'GET',
      path: '/bench/v1/outputs',
      summary: 'Coils, pump, lung and plant as they are in truth, and the connected clients',
      answer: outputs,
      handler: () => ({ ok: true, ...bench.outputs }),
    }),
    route({
      method: 'PATCH',
      path: '/bench/v1/:device/knobs',
      summary: 'Turns knobs; answers when they have taken effect',
      actuating: true,
      params: deviceParams,
      body: z.record(z.string(), z.unknown()),
      answer: z.object({ ok, device: z.string(), knobs }),
      problems: BENCH_PROBLEMS,
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
      answer: z.object({ ok, device: z.string(), faults: z.int() }),
      problems: BENCH_PROBLEMS,
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
      answer: z.object({ ok }),
      problems: ['device_unavailable'],
      handler: async () => {
        await bench.reset();
        return { ok: true };
      },
    }),
  ];
}
