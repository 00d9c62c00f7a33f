import * as z from 'zod';
import { CodedError, messageOf } from '../../lib/errors/coded-error.ts';
import { type Route, route } from '../../lib/http/route.ts';
import { LockHeldError } from '../../lib/lock/lock.ts';
import type { PumpReading } from '../../rig/hardware/ports.ts';
import { RigError } from '../../rig/hardware/rig-error.ts';
import { bounded } from '../../rig/hold/bounded.ts';
import { actuatorMembers, identityMembers, withPendingStop } from '../../rig/service/answer-members.ts';
import type { DeviceSurroundings } from '../../rig/service/device-service.ts';
import type { CommandedPump } from './commanded-pump.ts';
import { MOCK_MESSAGE, shownFrequency } from './shown.ts';

const DEVICE = 'pump-motor';
/** Shorter than the 2 s after which the bridge gives up; a read that is repeated once on a silent line fits into it. */
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

/** Asks the device; 200 whatever came of it. Not ok while a stop is not proven. */
export function healthRoute(
  pump: CommandedPump,
  { clock, health }: Pick<DeviceSurroundings, 'clock' | 'health'>,
): Route {
  const { component, port } = pump.device;
  return route({
    method: 'GET',
    path: '/health',
    summary: 'Whether the pump answers, and whether it is under control; always 200',
    access: 'open',
    answer: healthAnswer,
    handler: async (): Promise<Health> => {
      const late = () => new RigError('device_timeout', DEVICE, `no answer within ${PROBE_MS} ms`);
      const { mock, bench } = port.origin;
      const probe = await bounded((signal) => pump.read(signal), { clock, limitMs: PROBE_MS, late }).then(
        (reading) => answered(reading, mock),
        failed,
      );
      const found = {
        ok: probe.status === 'ok',
        ...probe,
        driver: 'DRI0050' as const,
        port: component.path,
        mock_mode: mock,
        simulated: mock,
        bench,
        ...health,
      };
      return withPendingStop(found, pump.hold.pendingText);
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
