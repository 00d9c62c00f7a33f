import * as z from 'zod';
import { DeviceError } from '../../devices/device-error.ts';
import type { AdcIdentity } from '../../devices/mcp2221a/driver.ts';
import { type Route, route } from '../../lib/http/route.ts';
import type { AdcSurroundings } from '../../rig/adc/adc-service.ts';
import { componentSchema, hidProbe, knownHealth } from '../../rig/adc/health.ts';
import type { HidAdc } from '../../rig/adc/hid-adc.ts';
import { identityMembers } from '../../rig/service/answer-members.ts';
import { healthQuery } from '../../rig/service/known-health.ts';
import { usbDevices } from './usb-devices.ts';

const IDENTITY_LIMIT_MS = 500;
const NOTE = 'USB presence and one HID command; not wiring or calibration';

const answer = z.object({
  ok: z.boolean(),
  status: componentSchema.shape.status,
  ...identityMembers,
  usb_devices: z.array(
    z.object({
      vid: z.string(),
      pid: z.string(),
      manufacturer: z.string().nullable(),
      product: z.string().nullable(),
      serial: z.string().nullable(),
      path: z.string(),
      kernel_driver: z.string().nullable(),
      hidraw: z.string().nullable(),
    }),
  ),
  adapter: z.object({
    ok: z.boolean(),
    backend: z.enum(['hidraw', 'libusb', 'iio', 'bench']).nullable(),
    verified: z.boolean(),
    message: z.string(),
    endpoint: z.string(),
  }),
  bench: z.boolean(),
  note: z.string(),
});

/** SVC-021: 200 whatever the chip does. */
export function healthRoutes(adc: HidAdc, { clock, meters, identity }: AdcSurroundings): Route[] {
  // What a twin says of itself is asked with the rest: the kernel has read the strings only of a chip on USB.
  const probe = hidProbe(adc);
  const known = knownHealth(
    { clock, meters },
    {
      ...probe,
      ask: async (limits) => {
        const answer = await probe.ask(limits);
        return { ...answer, identity: answer.ok ? await saidByTwin(adc, limits.signal) : undefined };
      },
    },
  );
  return [
    route({
      method: 'GET',
      path: '/health',
      summary: 'Detected USB devices and the state of the adapter, within 100 ms',
      access: 'open',
      query: healthQuery,
      answer,
      handler: async ({ query }) => {
        const { health, answer: said } = await known.get(query.wait_ms, query.max_age_ms);
        const found = await usbDevices(adc, said?.identity);
        const { status, message, endpoint, bench } = health;
        const isFound = found.length > 0;
        return {
          ok: isFound && health.ok,
          status: isFound ? status : 'not_found',
          ...identity,
          usb_devices: found,
          adapter: {
            ok: health.ok,
            backend: adc.backend,
            verified: said?.verified ?? false,
            message,
            endpoint,
          },
          bench,
          note: NOTE,
        };
      },
    }),
  ];
}

/** What it does not say is unknown. */
async function saidByTwin(adc: HidAdc, signal: AbortSignal): Promise<AdcIdentity | undefined> {
  if (adc.backend !== 'bench') return undefined;
  try {
    return await adc.identify({ signal, limitMs: IDENTITY_LIMIT_MS });
  } catch (thrown) {
    if (thrown instanceof DeviceError) return undefined;
    throw thrown;
  }
}
