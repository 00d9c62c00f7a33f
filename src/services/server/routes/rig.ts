import * as z from 'zod';
import type { Clock } from '../../../lib/clock/clock.ts';
import { type Route, route } from '../../../lib/http/route.ts';
import { CoalescedCalls } from '../../../lib/queue/coalesced-calls.ts';
import { calibrationStatus } from '../../../rig/calibration/calibration-status.ts';
import type { ConfiguredRig } from '../configured-rig.ts';
import type { Firmware } from '../firmware.ts';
import { api } from './paths.ts';

/** The bridge answers its health within 3 s. */
const HEALTH_MS = 3500;

const component = z.object({
  status: z.string(),
  message: z.string(),
  endpoint: z.string().nullable(),
  latency_ms: z.number(),
  bench: z.boolean(),
  version: z.string().optional(),
});

/** Since the start of the server, of the questions that it passed on: a page that is open asks once a second. */
const askedComponent = component.extend({
  /** Null: it has not been ok since then. */
  last_ok_at: z.string().nullable(),
  asked: z.int(),
  failed: z.int(),
});

const peripheral = z.object({
  id: z.string(),
  type: z.string(),
  name: z.string(),
  unit: z.string().nullable(),
  currentValue: z.union([z.number(), z.boolean(), z.string(), z.null()]),
  targetValue: z.union([z.number(), z.boolean(), z.string(), z.null()]),
  status: z.string(),
  error: z.string().optional(),
  observed_at: z.string().nullable(),
});

const calibration = z.object({
  sensor: z.string(),
  id: z.string(),
  unit: z.string(),
  due_at: z.string().nullable(),
  fault: z.string().nullable(),
});

export const rigSchema = z.object({
  /** By id of the plugin; null while the bridge does not answer, and `error` says why. */
  components: z.record(z.string(), askedComponent).nullable(),
  /** What the devices say now; null while the bridge does not answer. */
  peripherals: z.array(peripheral).nullable(),
  error: z.string().nullable(),
  calibrations: z.array(calibration),
  /** Why the configuration cannot be read; null when it can. */
  config_fault: z.string().nullable(),
});
export type RigAnswer = z.output<typeof rigSchema>;

const componentsOf = z.object({ components: z.record(z.string(), component) });
const stateOf = z.record(z.string(), peripheral);

/** Devices, their values and calibrations, for the page. However many tablets ask, the devices are read once. */
export function rigRoutes(firmware: Firmware, rig: () => ConfiguredRig, clock: Clock): Route[] {
  const reads = new CoalescedCalls();
  const record = new ComponentRecord(clock);
  const read = async (): Promise<RigAnswer> => {
    const [health, state] = await Promise.all([
      firmware.get('/api/v1/hardware/health', HEALTH_MS),
      firmware.get('/api/v1/state', HEALTH_MS),
    ]);
    const components = 'said' in health ? componentsOf.safeParse(health.said) : undefined;
    const peripherals = 'said' in state ? stateOf.safeParse(state.said) : undefined;
    const silence = 'silence' in health ? health.silence : 'silence' in state ? state.silence : null;
    const isRead = components?.success === true && peripherals?.success === true;
    return {
      components: components?.success ? record.with(components.data.components) : null,
      peripherals: peripherals?.success ? Object.values(peripherals.data) : null,
      error:
        silence ??
        (isRead ? null : 'the answer of the bridge cannot be read: update bridge and server together'),
      ...configured(rig, clock),
    };
  };
  return [
    route({
      method: 'GET',
      path: api('/rig'),
      summary: 'Devices, current values and calibrations',
      answer: rigSchema,
      handler: () => reads.call('rig', read),
    }),
  ];
}

type Component = z.output<typeof component>;

/** How often each device was asked, and when it was last ok. */
class ComponentRecord {
  readonly #clock: Clock;
  readonly #known = new Map<string, { last_ok_at: string | null; asked: number; failed: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  with(components: Readonly<Record<string, Component>>): Record<string, z.output<typeof askedComponent>> {
    return Object.fromEntries(
      Object.entries(components).map(([id, one]) => {
        const { last_ok_at, asked, failed } = this.#known.get(id) ?? {
          last_ok_at: null,
          asked: 0,
          failed: 0,
        };
        const isOk = one.status === 'ok' || one.status === 'mock';
        // What is switched off is not asked.
        const count = one.status === 'disabled' ? 0 : 1;
        const now = {
          last_ok_at: isOk ? new Date(this.#clock.now()).toISOString() : last_ok_at,
          asked: asked + count,
          failed: failed + (isOk ? 0 : count),
        };
        this.#known.set(id, now);
        return [id, { ...one, ...now }];
      }),
    );
  }
}

function configured(
  rig: () => ConfiguredRig,
  clock: Clock,
): Pick<RigAnswer, 'calibrations' | 'config_fault'> {
  try {
    const calibrations = Object.entries(rig().config.sensors).flatMap(([sensor, { calibration: one }]) => {
      if (!one) return [];
      const { fault } = calibrationStatus(one, clock.now());
      return [{ sensor, id: one.id, unit: one.unit, due_at: one.dueAt ?? null, fault }];
    });
    return { calibrations, config_fault: null };
  } catch (thrown) {
    return { calibrations: [], config_fault: thrown instanceof Error ? thrown.message : String(thrown) };
  }
}
