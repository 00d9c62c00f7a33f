import * as z from 'zod';
import type { FieldFault } from '../../../lib/http/http-error.ts';
import { DEVICE_PROBLEMS } from '../../../lib/http/problem-schema.ts';
import { numberText } from '../../../lib/http/query-types.ts';
import { type Route, route } from '../../../lib/http/route.ts';
import type { Limits } from '../../../rig/configuration/types.ts';
import { LUNG_ID } from '../../../rig/device-kinds/lung.ts';
import { lungData } from '../../../rig/hardware/lung-data.ts';
import { ACTUATION_PROBLEMS, actuationMembers, lungRuntime } from '../answers.ts';
import type { Bridge } from '../bridge.ts';
import { beyondLimit } from '../refusal.ts';
import { actuatorMarks } from './origin.ts';
import { trippedMember } from './tripped.ts';

const LUNG_PROBLEMS = ['lung_moving', 'lung_start_failed', 'lung_limits_blocked', 'lung_low_vin'] as const;

export function lungRoutes(bridge: Bridge): Route[] {
  const { lung } = bridge.rig;
  return [
    route({
      method: 'POST',
      path: '/api/v1/hardware/lung',
      summary: 'Starts lung cycles; sent once',
      actuating: true,
      query: z.object({
        steps: numberText({ integer: true, min: 1, max: 1_000_000 }).default(500),
        speed: numberText({ integer: true, min: 1, max: 500_000_000 }).default(10_000_000),
        cycles: numberText({ integer: true, min: 1, max: 10_000 }).default(5),
        pause: numberText({ min: 0, max: 60 }).default(0.5),
      }),
      headers: ['x-lease-id'],
      answer: z.object({
        ...actuationMembers,
        steps: z.int(),
        speed: z.int(),
        cycles: z.int(),
        pause: z.number(),
        status: z.literal('started'),
        data: lungRuntime,
      }),
      problems: [...ACTUATION_PROBLEMS, ...LUNG_PROBLEMS],
      handler: async ({ query, header, signal }) => {
        const { pause, ...rest } = query;
        refuseBeyondLimits(rest, bridge.config.limits);
        const requester = { leaseId: header('x-lease-id'), signal };
        const status = await bridge.actuate(LUNG_ID, requester, (stop) =>
          lung.start({ ...rest, pauseS: pause }, stop),
        );
        return {
          ok: true,
          ...query,
          status: 'started',
          ...actuatorMarks(lung.origin),
          data: { runtime_status: lungData(status) },
        };
      },
    }),
    route({
      method: 'POST',
      path: '/api/v1/hardware/lung/stop',
      summary: 'Halts the lung',
      ignoresForm: true,
      answer: z.object({ ...actuationMembers, status: z.literal('stopped'), data: lungRuntime }),
      problems: DEVICE_PROBLEMS,
      handler: async () => {
        const { result, tripped } = await bridge.makeActuatorSafe(LUNG_ID, 'stopping the lung', () =>
          lung.stop(),
        );
        return {
          ok: true,
          status: 'stopped',
          ...actuatorMarks(lung.origin),
          data: { runtime_status: lungData(result) },
          ...trippedMember(tripped),
        };
      },
    }),
    route({
      method: 'POST',
      path: '/api/v1/hardware/lung/disable',
      summary: 'De-energizes the lung motor',
      ignoresForm: true,
      answer: z.object({ ...actuationMembers, status: z.literal('de-energized'), data: lungRuntime }),
      problems: DEVICE_PROBLEMS,
      handler: async () => {
        const { result, tripped } = await bridge.makeActuatorSafe(LUNG_ID, 'de-energizing the lung', () =>
          lung.disable(),
        );
        return {
          ok: true,
          status: 'de-energized',
          ...actuatorMarks(lung.origin),
          data: { runtime_status: lungData(result) },
          ...trippedMember(tripped),
        };
      },
    }),
  ];
}

/** @throws HttpError `invalid_parameter` with an entry for each value beyond what svc.yaml allows */
function refuseBeyondLimits(motion: { steps: number; speed: number; cycles: number }, limits: Limits): void {
  const bounds = [
    ['steps', limits.lungMaxSteps],
    ['speed', limits.lungMaxSpeed],
    ['cycles', limits.lungMaxCycles],
  ] as const;
  const errors = bounds
    .filter(([field, most]) => motion[field] > most)
    .map(([field, most]): FieldFault => {
      const message = `must be 1..${most}, limits.lung.max_${field} in svc.yaml is ${most}`;
      return { in: 'query', field, message, value: String(motion[field]) };
    });
  if (errors.length > 0) throw beyondLimit(errors);
}
