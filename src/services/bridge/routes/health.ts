import * as z from 'zod';
import { type Route, route } from '../../../lib/http/route.ts';
import { safeStateSchema } from '../../../rig/safe-state/report-schema.ts';
import { operatorStopState } from '../answers.ts';
import type { Bridge } from '../bridge.ts';
import { operatorStopView } from './operator-stop.ts';
import { isoTime } from './origin.ts';

export interface ServiceIdentity {
  service: string;
  version: string;
  pid: number;
  /** Null until the service listens. */
  port: () => number | null;
  /** Wall clock, milliseconds. */
  startedAt: number;
  insecure: boolean;
}

const healthAnswer = z.object({
  ok: z.literal(true),
  status: z.enum(['ok', 'degraded', 'not_safe']),
  healthy: z.boolean(),
  service: z.string(),
  version: z.string(),
  port: z.int().nullable(),
  pid: z.int(),
  started_at: z.iso.datetime(),
  mode: z.enum(['mock', 'real']),
  simulated: z.boolean(),
  bench: z.boolean(),
  /** Plugins that cannot be used now. */
  unavailable: z.array(z.string()),
  safe_state: safeStateSchema
    .pick({ outcome: true, reason: true })
    .extend({ running: z.boolean() })
    .nullable(),
  /** What of the last safe state is not proven; null when all of it is. */
  not_safe: z.string().nullable(),
  operator_stop: operatorStopState,
  guard: z.object({ watching: z.boolean() }).optional(),
  /** Of the actuators, where a relay that the guard feeds carries it: why it is off, and when the relay was last tested. */
  supply: z.object({ off: z.string().nullable(), relay_tested_at: z.iso.datetime().nullable() }).optional(),
  insecure: z.literal(true).optional(),
  /** Ways that not every bridge has: `sensors/each` answers each reading of several sensors as soon as it is there. */
  offers: z.array(z.literal('sensors/each')),
});

/**
 * Liveness, without device traffic. `healthy` is false while a configured device is known to be missing, or the last safe
 * state is not proven.
 */
export function healthRoutes(bridge: Bridge, identity: ServiceIdentity): Route[] {
  return [
    route({
      method: 'GET',
      path: ['/health', '/api/v1/health'],
      summary: 'Liveness of the bridge, its mode and its last safe state',
      access: 'open',
      answer: healthAnswer,
      handler: () => {
        const { rig, safeState } = bridge;
        const troubles = rig.components
          .filter((component) => !['ok', 'mock', 'disabled'].includes(component.known().status))
          .map((component) => component.id);
        return {
          ok: true,
          status: safeState.notSafe !== null ? 'not_safe' : troubles.length === 0 ? 'ok' : 'degraded',
          healthy: troubles.length === 0 && safeState.notSafe === null,
          service: identity.service,
          version: identity.version,
          port: identity.port(),
          pid: identity.pid,
          started_at: isoTime(identity.startedAt),
          mode: rig.mode,
          simulated: rig.mode === 'mock',
          bench: rig.bench,
          unavailable: troubles,
          safe_state: safeState.last
            ? { outcome: safeState.last.outcome, reason: safeState.last.reason, running: safeState.running }
            : null,
          not_safe: safeState.notSafe,
          operator_stop: operatorStopView(bridge),
          ...(bridge.life ? { guard: { watching: bridge.life.isGuarded } } : {}),
          ...(bridge.life?.supply ? { supply: bridge.life.supply } : {}),
          ...(identity.insecure ? { insecure: true } : {}),
          offers: ['sensors/each'],
        };
      },
    }),
  ];
}
