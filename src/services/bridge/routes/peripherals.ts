import * as z from 'zod';
import { HttpError } from '../../../lib/http/http-error.ts';
import { type Route, route } from '../../../lib/http/route.ts';
import { type PeripheralInfo, peripheralSchema } from '../../../rig/hardware/peripherals.ts';
import { ACTUATION_PROBLEMS } from '../answers.ts';
import type { Bridge } from '../bridge.ts';
import { findPeripheral, listPeripherals, peripheralStanding } from '../peripherals.ts';
import { bridgeState } from '../state.ts';

const id = z.object({ id: z.string() });
const kept = z.union([z.number(), z.boolean(), z.string().max(1000), z.null()]);

const mode = z.enum(['mock', 'real']);
const peripheral = peripheralSchema.extend({ simulated: z.boolean() });
const stateEntry = z.object({
  id: z.string(),
  type: z.string(),
  name: z.string(),
  unit: z.string().nullable(),
  mode,
  /** Null where it is unknown; `error` says why. */
  currentValue: kept,
  targetValue: kept,
  status: z.enum(['ok', 'error']),
  error: z.string().optional(),
  observed_at: z.iso.datetime().nullable(),
});

export function peripheralRoutes(bridge: Bridge): Route[] {
  const view = (info: PeripheralInfo) => ({
    ...info,
    ...peripheralStanding(bridge, info),
    simulated: bridge.rig.mode === 'mock',
  });
  return [
    route({
      method: 'GET',
      path: '/api/v1/state',
      summary: 'Current and target value of every peripheral',
      answer: z.record(z.string(), stateEntry),
      handler: ({ signal }) => bridgeState(bridge, signal),
    }),
    route({
      method: 'GET',
      path: '/api/v1/peripherals',
      summary: 'All peripherals',
      answer: z.object({ mode, count: z.int(), peripherals: z.array(peripheral) }),
      handler: () => {
        const peripherals = listPeripherals(bridge).map(view);
        return { mode: bridge.rig.mode, count: peripherals.length, peripherals };
      },
    }),
    route({
      method: 'GET',
      path: '/api/v1/peripherals/:id',
      summary: 'One peripheral',
      params: id,
      answer: peripheral,
      problems: ['not_found'],
      handler: ({ params }) => view(known(bridge, params.id)),
    }),
    route({
      method: 'PUT',
      path: '/api/v1/peripherals/:id',
      summary: 'Keeps the values of a peripheral that no driver owns',
      actuating: true,
      params: id,
      body: z.strictObject({ currentValue: kept, targetValue: kept }),
      headers: ['x-lease-id'],
      answer: z.object({ ok: z.literal(true), id: z.string(), currentValue: kept, targetValue: kept }),
      problems: ['not_found', 'driver_owned', ...ACTUATION_PROBLEMS],
      handler: ({ params, body, header }) => {
        const info = known(bridge, params.id);
        if (info.adapter !== null) {
          throw new HttpError(
            'driver_owned',
            `${info.id} is driven by ${info.adapter}; use its route below /api/v1/hardware/`,
          );
        }
        bridge.admit(header('x-lease-id'));
        bridge.untypedPeripheralValues.set(info.id, { ...body, at: bridge.clock.now() });
        return { ok: true, id: info.id, ...body };
      },
    }),
  ];
}

function known(bridge: Bridge, name: string): PeripheralInfo {
  const info = findPeripheral(bridge, name);
  if (info) return info;
  throw new HttpError(
    'not_found',
    `no peripheral ${JSON.stringify(name)}; name it in svc.yaml below peripherals`,
  );
}
