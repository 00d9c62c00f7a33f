import * as z from 'zod';
import { DeviceError } from '../../devices/device-error.ts';
import type { AdcIdentity } from '../../devices/mcp2221a/driver.ts';
import { type Route, route } from '../../lib/http/route.ts';
import { componentSchema, probed } from '../../rig/adc/answer/health.ts';
import { hidProbe } from '../../rig/adc/answer/probes.ts';
import type { HidAdc } from '../../rig/adc/device/hid-adc.ts';
import type { AdcSurroundings } from '../../rig/adc/service/adc-service.ts';
import { identityMembers } from '../../rig/service/answer-members.ts';
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
  return [
    route({
      method: 'GET',
      path: '/health',
      summary: 'Detected USB devices and the state of the adapter',
      access: 'open',
      answer,
      handler: async ({ signal }) => {
        const { health, answer: said } = await probed({ clock, meters, signal }, hidProbe(adc));
        const found = await usbDevices(adc, health.ok ? await saidByTwin(adc, signal) : undefined);
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

/** Of a chip on USB the kernel has read the strings; a twin is asked. What it does not say then is unknown. */
async function saidByTwin(adc: HidAdc, signal: AbortSignal): Promise<AdcIdentity | undefined> {
  if (adc.backend !== 'bench') return undefined;
  try {
    return await adc.identify({ signal, limitMs: IDENTITY_LIMIT_MS });
  } catch (thrown) {
    if (thrown instanceof DeviceError) return undefined;
    throw thrown;
  }
}
