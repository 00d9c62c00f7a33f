import * as z from 'zod';
import { DeviceError } from '../../devices/device-error.ts';
import { DEVICE_PROBLEMS } from '../../lib/http/problem-schema.ts';
import { type Route, route } from '../../lib/http/route.ts';
import type { AdcSurroundings } from '../../rig/adc/adc-service.ts';
import { HID_ADC, HID_IDS, type HidAdc } from '../../rig/adc/hid-adc.ts';
import { isoTime } from '../../rig/adc/reading.ts';
import { usbDevices } from './usb-devices.ts';

const IDENTITY_LIMIT_MS = 2500;
const SCAN_LIMIT_MS = 5000;

const text = z.string().nullable();

const deviceAnswer = z.object({
  adapter: z.literal(HID_ADC),
  chip: z.string(),
  vid: z.string(),
  pid: z.string(),
  manufacturer: text,
  product: text,
  serial: text,
  factory_serial: text,
  /** In flash, also where the chip does not show it when it enumerates (`serial`). */
  usb_serial: text,
  hardware_revision: text,
  firmware_revision: text,
  reference_volts: z.number(),
  reference_source: z.string(),
  range_volts: z.tuple([z.literal(0), z.number()]),
  bits: z.int(),
  inputs: z.array(z.string()),
  backend: text,
  kernel_driver: text,
  bench: z.boolean(),
});

const scanAnswer = z.object({
  ok: z.literal(true),
  speed_hz: z.int(),
  addresses: z.array(z.string()),
  addresses_decimal: z.array(z.int()),
  count: z.int(),
  duration_ms: z.int(),
  observed_at: z.iso.datetime(),
  bench: z.boolean(),
});

/** Who the chip is, and what hangs on its I2C bus. */
export function deviceRoutes(adc: HidAdc, { meters }: AdcSurroundings): Route[] {
  return [
    route({
      method: 'GET',
      path: '/api/v1/device',
      summary:
        'Identification; null for what the chip or the kernel driver does not show, 503 while the chip is away',
      answer: deviceAnswer,
      problems: DEVICE_PROBLEMS,
      handler: async ({ signal }) => {
        try {
          const answer = await device(adc, signal);
          meters.answered(HID_ADC);
          return answer;
        } catch (thrown) {
          meters.failed(HID_ADC, thrown);
          throw thrown;
        }
      },
    }),
    route({
      method: 'GET',
      path: '/api/v1/i2c/scan',
      sameSite: true,
      summary: "Addresses that answer on the chip's I2C bus",
      answer: scanAnswer,
      problems: [...DEVICE_PROBLEMS, 'i2c_bus_stuck'],
      deadlineMs: SCAN_LIMIT_MS + 500,
      handler: async ({ signal }) => {
        try {
          const scan = await adc.scanI2c({ signal, limitMs: SCAN_LIMIT_MS });
          meters.answered(HID_ADC);
          return {
            ok: true,
            speed_hz: scan.speedHz,
            addresses: scan.addresses.map((address) => `0x${address.toString(16).padStart(2, '0')}`),
            addresses_decimal: scan.addresses,
            count: scan.addresses.length,
            duration_ms: scan.durationMs,
            observed_at: isoTime(scan.observedAt),
            bench: adc.isBench,
          };
        } catch (thrown) {
          meters.failed(HID_ADC, thrown);
          throw thrown;
        }
      },
    }),
  ];
}

async function device(adc: HidAdc, signal: AbortSignal) {
  const { reference } = adc.settings;
  const read = await adc.identify({ signal, limitMs: IDENTITY_LIMIT_MS });
  const [plugged] = await usbDevices(adc, read);
  // Behind the kernel's driver nothing is asked of the chip: sysfs says whether it is there.
  if (!read && !plugged) {
    const { endpoint } = adc;
    const message = `${HID_ADC} on ${endpoint}: no chip is plugged in; plug it in`;
    throw new DeviceError('device_unavailable', message, { device: HID_ADC, endpoint, reason: 'absent' });
  }
  return {
    adapter: HID_ADC,
    chip: 'MCP2221A',
    ...HID_IDS,
    manufacturer: read?.manufacturer ?? plugged?.manufacturer ?? null,
    product: read?.product ?? plugged?.product ?? null,
    serial: plugged?.serial ?? null,
    factory_serial: read?.factorySerial ?? null,
    usb_serial: read?.usbSerial ?? null,
    hardware_revision: read?.hardwareRevision ?? null,
    firmware_revision: read?.firmwareRevision ?? null,
    reference_volts: reference.volts,
    reference_source: reference.source,
    range_volts: [0, reference.volts],
    bits: 10,
    inputs: ['G1', 'G2', 'G3'],
    backend: adc.backend,
    kernel_driver: adc.kernelDriver ?? plugged?.kernel_driver ?? null,
    bench: adc.isBench,
  };
}
