import * as z from 'zod';
import { type Route, route } from '../../lib/http/route.ts';
import type { Plugin } from '../../rig/configuration/types.ts';
import { cappedCheck } from '../../rig/hardware/capped-check.ts';
import type { Component, ComponentHealth } from '../../rig/hardware/ports.ts';
import { deviceMembers, identityMembers } from '../../rig/service/answer-members.ts';
import type { DeviceSurroundings } from '../../rig/service/device-service.ts';
import { healthQuery, KnownHealth } from '../../rig/service/known-health.ts';

/** Below the 1.9 s that the bridge waits for it, so that it is told why. */
const PROBE_LIMIT_MS = 1500;

const answer = z.object({
  ...deviceMembers,
  /** `permission_denied` is a missing right of this account, `not_found` a missing bus or chip. */
  status: z.enum(['ok', 'held', 'permission_denied', 'not_found', 'timeout', 'error']),
  /** The chip has just answered. */
  initialized: z.boolean(),
  /** Number of `/dev/i2c-N`, or the address of a twin. */
  bus: z.union([z.int(), z.string()]).nullable(),
  address: z.string().nullable(),
  ...identityMembers,
});
type Answer = z.output<typeof answer>;

export interface HealthOptions extends Pick<DeviceSurroundings, 'clock' | 'health'> {
  /** Undefined in mock mode. */
  component: Component | undefined;
  plugin: Plugin | undefined;
  isBench: () => boolean;
}

/** What is known of the chip; 200 whatever that is. */
export function healthRoutes({ clock, health, component, plugin, isBench }: HealthOptions): Route[] {
  const place = placeOf(plugin);
  const known =
    component &&
    new KnownHealth<Known>({
      clock,
      probe: () => cappedCheck(component, { clock, limitMs: PROBE_LIMIT_MS }),
      silent: (ms) => ({
        status: 'timeout',
        code: 'device_timeout',
        message: `no answer for ${ms} ms`,
        bench: isBench(),
      }),
    });
  return [
    route({
      method: 'GET',
      path: '/health',
      summary: 'Whether the converter answers, and what is wrong when it does not; within 100 ms',
      access: 'open',
      query: healthQuery,
      answer,
      handler: async ({ query }): Promise<Answer> => {
        const device = known ? ofDevice(await known.get(query.wait_ms, query.max_age_ms)) : MOCK;
        const { ok, status, ...rest } = device;
        return { ok, status, ...health, ...rest, ...place };
      },
    }),
  ];
}

type DevicePart = Pick<
  Answer,
  'ok' | 'status' | 'mock_mode' | 'simulated' | 'bench' | 'initialized' | 'message' | 'code' | 'holder'
>;

const MOCK: DevicePart = {
  ok: true,
  status: 'ok',
  mock_mode: true,
  simulated: true,
  bench: false,
  initialized: true,
  message: 'mock mode: voltages are simulated, no device is opened; SVC_HARDWARE_MODE=real reads the chip',
  code: null,
  holder: null,
};

type Known = Pick<ComponentHealth, 'status' | 'code' | 'message' | 'bench' | 'holder'>;

function ofDevice(health: Known): DevicePart {
  const { status, code, message, bench } = health;
  const ok = status === 'ok';
  return {
    ok,
    status: statusOf(health),
    mock_mode: false,
    simulated: false,
    bench,
    initialized: ok,
    message: ok ? 'ready' : message,
    code,
    holder: health.holder ?? null,
  };
}

function statusOf({ status, code }: Known): Answer['status'] {
  if (status === 'ok' || status === 'held' || status === 'timeout') return status;
  return code === 'permission_denied' || code === 'not_found' ? code : 'error';
}

function placeOf(plugin: Plugin | undefined): Pick<Answer, 'bus' | 'address'> {
  const connection = plugin?.connection;
  if (connection?.type !== 'i2c') return { bus: null, address: null };
  const number = /^(?:i2c:)?\/dev\/i2c-(\d+)$/.exec(connection.bus)?.[1];
  const address = `0x${connection.address.toString(16).padStart(2, '0')}`;
  return { bus: number === undefined ? connection.bus : Number(number), address };
}
