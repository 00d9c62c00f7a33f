import * as z from 'zod';
import { messageOf } from '../../lib/errors/coded-error.ts';
import { type Route, route } from '../../lib/http/route.ts';
import { LockHeldError } from '../../lib/lock/lock.ts';
import { RigError } from '../../rig/hardware/rig-error.ts';
import { bounded } from '../../rig/hold/bounded.ts';
import type { DeviceSurroundings } from '../../rig/service/device-service.ts';
import type { CommandedPump } from './commanded-pump.ts';
import { shownFrequency } from './marks.ts';

const DEVICE = 'pump-motor';
/** Shorter than the 2 s after which the bridge gives up; a read that is repeated once on a silent line fits into it. */
const PROBE_MS = 1800;

const healthAnswer = z.object({
  ok: z.boolean(),
  status: z.enum(['ok', 'held', 'timeout', 'incompatible', 'error']),
  message: z.string(),
  driver: z.literal('DRI0050'),
  identified: z.boolean(),
  port: z.string().nullable(),
  freq_hz: z.number().nullable(),
  mock_mode: z.boolean(),
  bench: z.boolean(),
  held: z.boolean(),
  holder: z
    .object({ service: z.string(), pid: z.int(), port: z.int().nullable(), since: z.string() })
    .nullable(),
  stop_pending: z.string().nullable(),
  service: z.string(),
  version: z.string(),
  pid: z.int(),
  started_at: z.string(),
  insecure: z.literal(true).optional(),
});

type Probe = Pick<
  z.output<typeof healthAnswer>,
  'status' | 'message' | 'identified' | 'freq_hz' | 'held' | 'holder'
>;

/** Asks the device; 200 whatever came of it. Not ok while a stop is not proven. */
export function healthRoute(
  pump: CommandedPump,
  { clock, health }: Pick<DeviceSurroundings, 'clock' | 'health'>,
): Route {
  const { component, port } = pump.device;
  return route({
    method: 'GET',
    path: '/health',
    summary: 'Whether the pump answers, and whether it is under control',
    access: 'open',
    answer: healthAnswer,
    handler: async () => {
      const late = () => new RigError('device_timeout', DEVICE, `no answer within ${PROBE_MS} ms`);
      const probe = await bounded((signal) => pump.read(signal), { clock, limitMs: PROBE_MS, late }).then(
        (reading) => answered(shownFrequency(reading), port.origin.mock),
        failed,
      );
      const { pendingStop } = pump;
      const unproven =
        pendingStop && `not proven to be stopped (${pendingStop.reason})${causeOf(pendingStop.error)}`;
      const { status, message } = probe;
      return {
        ok: status === 'ok' && unproven === undefined,
        driver: 'DRI0050' as const,
        ...probe,
        status: status === 'ok' && unproven !== undefined ? ('error' as const) : status,
        message: status === 'ok' && unproven !== undefined ? unproven : message,
        port: component.path,
        mock_mode: port.origin.mock,
        bench: port.origin.bench,
        stop_pending: unproven ?? null,
        ...health,
      };
    },
  });
}

function answered(frequencyHz: number | null, isMock: boolean): Probe {
  return {
    status: 'ok',
    message: isMock ? 'mock mode: the pump of a plant, no device is opened' : 'DRI0050 answered',
    // Nothing was asked who it is in mock mode.
    identified: !isMock,
    freq_hz: frequencyHz,
    held: false,
    holder: null,
  };
}

function failed(thrown: unknown): Probe {
  const none = { message: messageOf(thrown), identified: false, freq_hz: null };
  if (thrown instanceof LockHeldError) return { ...none, status: 'held', held: true, holder: thrown.holder };
  return { ...none, status: statusOf(thrown), held: false, holder: null };
}

function statusOf(thrown: unknown): 'timeout' | 'incompatible' | 'error' {
  if (!(thrown instanceof RigError)) return 'error';
  if (thrown.code === 'wrong_device') return 'incompatible';
  return thrown.code === 'device_timeout' ? 'timeout' : 'error';
}

const causeOf = (error: unknown): string => (error === undefined ? '' : `: ${messageOf(error)}`);
