import * as z from 'zod';
import { bounded } from '../../lib/clock/bounded.ts';
import { CodedError, messageOf } from '../../lib/errors/coded-error.ts';
import { type Route, route } from '../../lib/http/route.ts';
import { LockHeldError } from '../../lib/lock/lock.ts';
import type { PumpReading } from '../../rig/hardware/ports.ts';
import { RigError } from '../../rig/hardware/rig-error.ts';
import { actuatorMembers, identityMembers, withPendingStop } from '../../rig/service/answer-members.ts';
import type { DeviceSurroundings } from '../../rig/service/device-service.ts';
import { healthQuery, KnownHealth } from '../../rig/service/known-health.ts';
import type { CommandedPump } from './commanded-pump.ts';
import { MOCK_MESSAGE, shownFrequency } from './shown.ts';

const DEVICE = 'pump-motor';
/** Shorter than the 1.9 s that the bridge waits; a read that is repeated once on a silent line fits into it. */
const PROBE_MS = 1800;

const healthAnswer = z.object({
  ...actuatorMembers,
  driver: z.literal('DRI0050'),
  port: z.string().nullable(),
  freq_hz: z.number().nullable(),
  ...identityMembers,
});
type Health = z.output<typeof healthAnswer>;
type Probe = Pick<Health, 'status' | 'code' | 'message' | 'identified' | 'freq_hz' | 'firmware' | 'holder'>;

/** What is known of the device; 200 whatever that is. Not ok while a stop is not proven. */
export function healthRoute(
  pump: CommandedPump,
  { clock, health }: Pick<DeviceSurroundings, 'clock' | 'health'>,
): Route {
  const { component, port } = pump.device;
  const late = () => new RigError('device_timeout', DEVICE, `no answer within ${PROBE_MS} ms`);
  const known = new KnownHealth<Probe>({
    clock,
    probe: () =>
      bounded((signal) => pump.read(signal), { clock, limitMs: PROBE_MS, late }).then(
        (reading) => answered(reading, port.origin.mock),
        failed,
      ),
    silent: (ms) => failed(new RigError('device_timeout', DEVICE, `no answer for ${ms} ms`)),
  });
  return route({
    method: 'GET',
    path: '/health',
    summary: 'Whether the pump answers, and whether it is under control; always 200, within 100 ms',
    access: 'open',
    query: healthQuery,
    answer: healthAnswer,
    handler: async ({ query }): Promise<Health> => {
      const { mock, bench } = port.origin;
      const found = {
        ...(await known.get(query.wait_ms, query.max_age_ms)),
        driver: 'DRI0050' as const,
        port: component.path,
        mock_mode: mock,
        simulated: mock,
        bench,
        ...health,
      };
      return withPendingStop({ ...found, ok: found.status === 'ok' }, pump.hold.pendingText);
    },
  });
}

function answered(reading: PumpReading, isMock: boolean): Probe {
  return {
    status: 'ok',
    code: null,
    message: isMock ? MOCK_MESSAGE : 'DRI0050 answered',
    // Nothing was asked who it is in mock mode.
    identified: !isMock,
    freq_hz: shownFrequency(reading),
    firmware: reading.version ?? null,
    holder: null,
  };
}

function failed(thrown: unknown): Probe {
  const isHeld = thrown instanceof LockHeldError;
  const code = thrown instanceof CodedError ? thrown.code : 'internal_error';
  return {
    status: isHeld ? 'held' : (STATUSES[code] ?? 'error'),
    code,
    message: messageOf(thrown),
    identified: false,
    freq_hz: null,
    firmware: null,
    holder: isHeld ? thrown.holder : null,
  };
}

const STATUSES: Readonly<Record<string, 'timeout' | 'incompatible'>> = {
  device_timeout: 'timeout',
  wrong_device: 'incompatible',
};
