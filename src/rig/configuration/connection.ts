import { faultText } from '../../lib/config/config-error.ts';
import { schemaFaults } from '../../lib/config/schema-faults.ts';
import type { DeviceKind } from '../device-kinds/device-kind.ts';
import type { LinesFile } from './line-schema.ts';
import type { Connection, ModbusRtuConnection } from './types.ts';

export type ConnectionResult = { connection: Connection } | { fault: string };

/** Reads one plugin's connection. A fault is text for people, naming path, value and remedy. */
export function readConnection(
  plugin: string,
  kind: Pick<DeviceKind, 'connections'>,
  type: unknown,
  params: Readonly<Record<string, unknown>>,
  lines: LinesFile = {},
): ConnectionResult {
  const path = `plugins.${plugin}`;
  const table = kind.connections(plugin);
  if (typeof type !== 'string' || !Object.hasOwn(table, type)) {
    const value = type === undefined ? null : JSON.stringify(type);
    const message = `must be ${Object.keys(table).join(' or ')}`;
    return { fault: faultText({ path: `${path}.connection_type`, value, message }) };
  }
  const entry = table[type as keyof typeof table]!;
  const isOnLine = 'onLine' in entry && Object.hasOwn(params, 'line');
  const schema = 'onLine' in entry ? (isOnLine ? entry.onLine : entry.ownPort) : entry;
  const result = schema.safeParse(params);
  if (!result.success) {
    const faults = schemaFaults(result.error, schema, params, `${path}.connection_params`);
    return { fault: faults.map(faultText).join('; ') };
  }
  const data = result.data as Record<string, unknown>;
  if (isOnLine) return onLine(path, data as { line: string; unit_id: number }, lines);
  return { connection: toConnection(type as Connection['type'], data) };
}

function onLine(
  path: string,
  { line: name, unit_id: unitId }: { line: string; unit_id: number },
  lines: LinesFile,
): ConnectionResult {
  const line = Object.hasOwn(lines, name) ? lines[name] : undefined;
  if (line) return { connection: lineConnection(name, line, unitId) };
  const known = Object.keys(lines);
  const remedy = known.length > 0 ? `it has ${known.join(', ')}` : 'describe the line there first';
  const message = `no such line below lines; ${remedy}`;
  return {
    fault: faultText({ path: `${path}.connection_params.line`, value: JSON.stringify(name), message }),
  };
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
