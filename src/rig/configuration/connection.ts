import * as z from 'zod';
import { faultText } from '../../lib/config/config-error.ts';
import { schemaFaults } from '../../lib/config/schema-faults.ts';
import { baudrate, type LinesFile, parity, serialPort } from './line-schema.ts';
import type { Connection, ModbusRtuConnection, PluginId } from './types.ts';

const deviceId = (byDefault: number) =>
  z.int('must be 1..247').min(1, 'must be 1..247').max(247, 'must be 1..247').default(byDefault);
const url = z.url({ protocol: /^https?$/, error: 'must be an http(s) URL such as http://127.0.0.1:8204' });
/** Unit ids of the devices that are not 1: of a second board by our own choice, since two on a line must differ. */
const UNIT_IDS: Readonly<Partial<Record<PluginId, number>>> = { 'pump-motor': 50, 'modbus-io-2': 2 };

/** A Modbus RTU device on a line of `lines`, which says the rest. */
export const onLineSchema = (plugin: PluginId) =>
  z.strictObject({
    line: z.string('must be the name of a line below lines').min(1, 'must be the name of a line below lines'),
    unit_id: deviceId(UNIT_IDS[plugin] ?? 1),
  });

/**
 * What each connection type needs to know. The DRI0050 talks 9600 baud as slave 50, the IO module 19200 as slave 1
 * (devices specification, section 1).
 */
export function connectionSchemas(plugin: PluginId) {
  const baud = plugin === 'pump-motor' ? 9600 : 19_200;
  const slave = UNIT_IDS[plugin] ?? 1;
  return {
    http: z.strictObject({ base_url: url }),
    'modbus-rtu': z.strictObject({
      serial_port: serialPort,
      baudrate: baudrate(baud),
      parity,
      device_id: deviceId(slave),
    }),
    'modbus-tcp': z.strictObject({
      host: z.string('must be a host name').min(1, 'must not be empty'),
      port: z.int('must be 1..65535').min(1, 'must be 1..65535').max(65_535, 'must be 1..65535').default(502),
      device_id: deviceId(slave),
    }),
    usb: z.strictObject({
      address: z
        .string()
        .regex(/^(usb:[0-9a-f]{4}:[0-9a-f]{4}|bench:.+)$/i, 'must be usb:1ffb:00c9 or bench:<socket>')
        .default('usb:1ffb:00c9'),
      serial: z.string('must be text').optional(),
    }),
    i2c: z.strictObject({
      bus: z
        .union([z.int().min(0), z.string().min(1)], 'must be a bus number, /dev/i2c-N or bench:<socket>')
        .default(1)
        .transform((bus) => (typeof bus === 'number' ? `/dev/i2c-${bus}` : bus)),
      address: z
        .int('must be 0x08..0x77')
        .min(0x08, 'must be 0x08..0x77')
        .max(0x77, 'must be 0x08..0x77')
        .default(0x48),
    }),
  };
}

const TYPES = 'http, modbus-rtu, modbus-tcp, usb or i2c';

export type ConnectionResult = { connection: Connection } | { fault: string };

/** Reads one plugin's connection. A fault is text for people, naming path, value and remedy. */
export function readConnection(
  plugin: PluginId,
  type: unknown,
  params: Readonly<Record<string, unknown>>,
  lines: LinesFile = {},
): ConnectionResult {
  const path = `plugins.${plugin}`;
  const table = connectionSchemas(plugin);
  if (typeof type !== 'string' || !Object.hasOwn(table, type)) {
    const value = type === undefined ? null : JSON.stringify(type);
    return { fault: faultText({ path: `${path}.connection_type`, value, message: `must be ${TYPES}` }) };
  }
  if (type === 'modbus-rtu' && Object.hasOwn(params, 'line')) return onLine(plugin, params, lines);
  const schema = table[type as keyof typeof table];
  const result = schema.safeParse(params);
  if (!result.success) {
    const faults = schemaFaults(result.error, schema, params, `${path}.connection_params`);
    return { fault: faults.map(faultText).join('; ') };
  }
  return { connection: toConnection(type as keyof typeof table, result.data) };
}

function onLine(
  plugin: PluginId,
  params: Readonly<Record<string, unknown>>,
  lines: LinesFile,
): ConnectionResult {
  const path = `plugins.${plugin}.connection_params`;
  const schema = onLineSchema(plugin);
  const result = schema.safeParse(params);
  if (!result.success)
    return { fault: schemaFaults(result.error, schema, params, path).map(faultText).join('; ') };
  const { line: name, unit_id: unitId } = result.data;
  const line = Object.hasOwn(lines, name) ? lines[name] : undefined;
  if (line) return { connection: lineConnection(name, line, unitId) };
  const known = Object.keys(lines);
  const remedy = known.length > 0 ? `it has ${known.join(', ')}` : 'describe the line there first';
  const message = `no such line below lines; ${remedy}`;
  return { fault: faultText({ path: `${path}.line`, value: JSON.stringify(name), message }) };
}

function lineConnection(name: string, line: LinesFile[string], deviceId: number): ModbusRtuConnection {
  const { port, baud, parity, turnaround_ms: turnaroundMs, quiet_ms: quietMs, rs485 } = line;
  return {
    type: 'modbus-rtu',
    serialPort: port,
    baudrate: baud,
    parity,
    deviceId,
    line: {
      name,
      turnaroundMs,
      quietMs,
      rs485: rs485 && {
        active: rs485.active,
        delayBeforeMs: rs485.delay_before_ms,
        delayAfterMs: rs485.delay_after_ms,
      },
    },
  };
}

function toConnection(type: Connection['type'], data: Record<string, unknown>): Connection {
  const fields = Object.fromEntries(
    Object.entries(data).map(([key, value]) => [
      key.replace(/_(\w)/g, (_, c: string) => c.toUpperCase()),
      value,
    ]),
  );
  if (type === 'usb') return { type, serial: null, ...fields } as Connection;
  return { type, ...fields } as Connection;
}
