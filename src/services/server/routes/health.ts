import * as z from 'zod';
import type { Clock } from '../../../lib/clock/clock.ts';
import { type Route, route } from '../../../lib/http/route.ts';
import { healthQuery, KnownHealth } from '../../../rig/service/known-health.ts';
import type { RigPublicKey } from '../../../scenario/records/rig-key.ts';
import type { Firmware, Told } from '../firmware.ts';
import { api } from './paths.ts';
import { RIG_KEY } from './run-schema.ts';

const PROBE_MS = 1000;

export interface HealthParts {
  firmware: Firmware;
  /** What is known of it. */
  bridge: KnownHealth<Told>;
  identity: { service: string; version: string; pid: number; started_at: string; mode: 'mock' | 'real' };
  /** What is wrong with the records; undefined when runs can be recorded. */
  recordFault: () => string | undefined;
  /** Directories that hold no readable record. */
  damaged: () => number;
  /** Undefined: there is none, or it cannot be used. */
  key: () => RigPublicKey | undefined;
}

/** What `/health` of the bridge says. */
export function knownBridge(firmware: Firmware, clock: Clock): KnownHealth<Told> {
  return new KnownHealth<Told>({
    clock,
    probe: (signal) => firmware.get('/health', PROBE_MS, signal),
    silent: (ms) => ({ silence: `${firmware.url}/health gave no answer for ${ms} ms` }),
  });
}

/** Liveness. `ok`: runs can be recorded; `degraded`: they cannot, or the bridge does not answer. */
export function healthRoutes({
  firmware,
  bridge,
  identity,
  recordFault,
  damaged,
  key,
}: HealthParts): Route[] {
  return [
    route({
      method: 'GET',
      path: ['/health', ...api('/health')],
      summary: 'Liveness of the API server, and whether it reaches the bridge; within 100 ms',
      access: 'open',
      query: healthQuery,
      answer: z.object({
        ok: z.boolean(),
        status: z.enum(['ok', 'degraded']),
        service: z.string(),
        version: z.string(),
        pid: z.int(),
        started_at: z.iso.datetime(),
        mode: z.enum(['mock', 'real']),
        firmware: z.object({ url: z.string(), reachable: z.boolean(), error: z.string().optional() }),
        records: z.object({ ok: z.boolean(), damaged: z.int(), error: z.string().optional() }),
        /** Seals the records; null while there is none. */
        key: RIG_KEY.nullable(),
        insecure: z.literal(true).optional(),
      }),
      handler: async ({ query }) => {
        const told = await bridge.get(query.wait_ms, query.max_age_ms);
        const reachable = 'said' in told;
        const fault = recordFault();
        return {
          ok: fault === undefined,
          status: reachable && fault === undefined ? 'ok' : 'degraded',
          ...identity,
          firmware: { url: firmware.url, reachable, ...(reachable ? {} : { error: told.silence }) },
          records: { ok: fault === undefined, damaged: damaged(), ...(fault ? { error: fault } : {}) },
          key: key() ?? null,
        };
      },
    }),
  ];
}
