import * as z from 'zod';
import { baudrate, parity, serialPort } from './line-schema.ts';

/** Schemas of `connection_params` by connection type. A device on a line of `lines` has other parameters than one with its own port. */
export interface ConnectionSchemas {
  readonly http?: z.ZodType;
  readonly 'modbus-rtu'?: { readonly ownPort: z.ZodType; readonly onLine: z.ZodType };
  readonly 'modbus-tcp'?: z.ZodType;
  readonly usb?: z.ZodType;
  readonly i2c?: z.ZodType;
}

const deviceId = (byDefault: number) =>
  z.int('must be 1..247').min(1, 'must be 1..247').max(247, 'must be 1..247').default(byDefault);

/** A service that owns the device. */
export const http = {
  http: z.strictObject({
    base_url: z.url({ protocol: /^https?$/, error: 'must be an http(s) URL such as http://127.0.0.1:8204' }),
  }),
} as const satisfies ConnectionSchemas;

/** @param byDefault baud and unit id that the device leaves its factory with */
export const modbus = (byDefault: { baudrate: number; unitId: number }) =>
  ({
    'modbus-rtu': {
      ownPort: z.strictObject({
        serial_port: serialPort,
        baudrate: baudrate(byDefault.baudrate),
        parity,
        device_id: deviceId(byDefault.unitId),
      }),
      onLine: z.strictObject({
        line: z
          .string('must be the name of a line below lines')
          .min(1, 'must be the name of a line below lines'),
        unit_id: deviceId(byDefault.unitId),
      }),
    },
    'modbus-tcp': z.strictObject({
      host: z.string('must be a host name').min(1, 'must not be empty'),
      port: z.int('must be 1..65535').min(1, 'must be 1..65535').max(65_535, 'must be 1..65535').default(502),
      device_id: deviceId(byDefault.unitId),
    }),
  }) as const satisfies ConnectionSchemas;

/** The Tic T249 by its vendor and product id. */
export const usb = {
  usb: z.strictObject({
    address: z
      .string()
      .regex(/^(usb:[0-9a-f]{4}:[0-9a-f]{4}|bench:.+)$/i, 'must be usb:1ffb:00c9 or bench:<socket>')
      .default('usb:1ffb:00c9'),
    serial: z.string('must be text').optional(),
  }),
} as const satisfies ConnectionSchemas;

/** @param chip 7-bit address by default */
export const i2c = (chip: number) =>
  ({
    i2c: z.strictObject({
      bus: z
        .union([z.int().min(0), z.string().min(1)], 'must be a bus number, /dev/i2c-N or bench:<socket>')
        .default(1)
        .transform((bus) => (typeof bus === 'number' ? `/dev/i2c-${bus}` : bus)),
      address: z
        .int('must be 0x08..0x77')
        .min(0x08, 'must be 0x08..0x77')
        .max(0x77, 'must be 0x08..0x77')
        .default(chip),
    }),
  }) as const satisfies ConnectionSchemas;
