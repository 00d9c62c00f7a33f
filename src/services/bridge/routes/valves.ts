import * as z from 'zod';
import { invalidField } from '../../../lib/http/http-error.ts';
import { DEVICE_PROBLEMS } from '../../../lib/http/problem-schema.ts';
import { booleanText } from '../../../lib/http/query-types.ts';
import { type Route, route } from '../../../lib/http/route.ts';
import { markMembers } from '../../../rig/service/answer-members.ts';
import { ACTUATION_PROBLEMS, actuationMembers } from '../answers.ts';
import type { Bridge } from '../bridge.ts';
import { actuatorMarks, isoTime } from './origin.ts';
import { notTripping, trippedMember } from './tripped.ts';

/**
 * @param testCoil relay with nothing wired to it: opening its valve would be confirmed, and nothing would have opened
 */
export function valveRoutes(bridge: Bridge, testCoil?: number): Route[] {
  const { rig } = bridge;
  return [
    route({
      method: 'POST',
      path: '/api/v1/hardware/valve/:id',
      summary: 'Opens (true) or closes (false) a valve; 200 only after echo and read-back',
      actuating: true,
      params: z.object({ id: z.string() }),
      query: z.object({ value: booleanText() }),
      headers: ['x-lease-id'],
      answer: z.object({
        ...actuationMembers,
        valve_id: z.string(),
        value: z.boolean(),
        coil: z.int(),
        verified: z.boolean(),
      }),
      problems: [...ACTUATION_PROBLEMS, 'unknown_valve', 'valve_unverified', 'valve_mode_not_normal'],
      handler: async ({ params, query, header, signal }) => {
        const coil = bridge.names.coil(params.id);
        if (coil === undefined) throw unknownValve(params.id, bridge.names.valveIds);
        const requester = { leaseId: header('x-lease-id'), signal };
        const id = bridge.names.valveIds[coil] ?? params.id;
        if (query.value && coil === testCoil) throw notWired(id, testCoil);
        const { result, tripped } = query.value
          ? notTripping(await bridge.actuate(id, requester, (stop) => rig.valves.set(coil, true, stop)))
          : await bridge.makeActuatorSafe(id, `closing ${id}`, () => rig.valves.set(coil, false));
        bridge.targets.valves[coil] = query.value;
        return {
          ok: true,
          valve_id: id,
          value: query.value,
          coil,
          verified: result.verified,
          ...actuatorMarks(rig.valves.origin),
          ...trippedMember(tripped),
        };
      },
    }),
    route({
      method: 'GET',
      path: '/api/v1/hardware/valves',
      summary: 'State of all valves, read from the device',
      answer: z.object({
        ok: z.literal(true),
        valves: z.record(z.string(), z.boolean()),
        observed_at: z.iso.datetime(),
        ...markMembers,
      }),
      problems: [...DEVICE_PROBLEMS, 'superseded'],
      handler: async ({ signal }) => {
        const states = await bridge.readBack.readValves(signal);
        const valves = Object.fromEntries(
          // What is not known has no entry.
          bridge.names.valveIds.flatMap((id, coil) => {
            const open = states[coil];
            return open === undefined ? [] : [[id, open]];
          }),
        );
        return {
          ok: true,
          valves,
          observed_at: isoTime(bridge.clock.now()),
          ...actuatorMarks(rig.valves.origin),
        };
      },
    }),
  ];
}

function notWired(id: string, coil: number) {
  const message = `has nothing wired to its relay: guard.test_coil = ${coil} in svc.yaml keeps it for the guard; use another valve, or take that key out`;
  return invalidField('unknown_valve', { in: 'path', field: 'id', message, value: id });
}

function unknownValve(id: string, valveIds: readonly string[]) {
  const message = `must be ${valveIds[0]}..${valveIds.at(-1)} or an alias of svc.yaml`;
  return invalidField('unknown_valve', { in: 'path', field: 'id', message, value: id });
}
