import * as z from 'zod';
import type { Clock } from '../../../lib/clock/clock.ts';
import { KnownHealth } from '../../../rig/service/known-health.ts';
import type { Firmware, Told } from '../firmware.ts';

const PROBE_MS = 1000;

const operatorStop = z.object({ id: z.string(), at: z.string(), by: z.string(), reason: z.string() });

/** Of the answer of the bridge, what a page shows. */
const health = z.object({
  status: z.string(),
  mode: z.enum(['mock', 'real']),
  bench: z.boolean(),
  unavailable: z.array(z.string()),
  safe_state: z.object({ outcome: z.string(), reason: z.string(), running: z.boolean() }).nullable(),
  not_safe: z.string().nullable(),
  operator_stop: operatorStop.nullable(),
  guard: z.object({ watching: z.boolean() }).optional(),
});

const lease = z.object({
  held: z.boolean(),
  owner: z.string().nullable(),
  expires_in_ms: z.number().nullable(),
});

/** What is known of the bridge, or why nothing is. */
export const bridgeSchema = z.discriminatedUnion('reachable', [
  z.object({ reachable: z.literal(true), ...health.shape, lease }),
  z.object({ reachable: z.literal(false), error: z.string() }),
]);
export type BridgeStatus = z.output<typeof bridgeSchema>;

/** Health and lease of the bridge, asked together. */
export function rigStatus(firmware: Firmware, clock: Clock): KnownHealth<BridgeStatus> {
  return new KnownHealth<BridgeStatus>({
    clock,
    probe: async (signal) => {
      const [told, leased] = await Promise.all([
        firmware.get('/health', PROBE_MS, signal),
        firmware.get('/api/v1/lease', PROBE_MS, signal),
      ]);
      return statusOf(told, leased);
    },
    silent: (ms) => ({ reachable: false, error: `${firmware.url}/health gave no answer for ${ms} ms` }),
  });
}

function statusOf(told: Told, leased: Told): BridgeStatus {
  if ('silence' in told) return { reachable: false, error: told.silence };
  if ('silence' in leased) return { reachable: false, error: leased.silence };
  const said = bridgeSchema.safeParse({ ...told.said, lease: leased.said, reachable: true });
  return said.success
    ? said.data
    : { reachable: false, error: `the answer of the bridge cannot be read: ${z.prettifyError(said.error)}` };
}
