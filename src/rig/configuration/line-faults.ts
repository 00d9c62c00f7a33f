import { realpathSync } from 'node:fs';
import type { ConfigFault } from '../../lib/config/config-error.ts';
import type { LinesFile } from './line-schema.ts';
import type { ModbusRtuConnection, Plugin } from './types.ts';

type OnPort = { id: string; connection: ModbusRtuConnection };

/**
 * Devices that would disturb each other: two with one unit id on a line, and two ports of the file that are the same one.
 * A port is opened once, by its line.
 */
export function lineFaults(plugins: readonly Plugin[], lines: LinesFile): ConfigFault[] {
  const onPorts = plugins.flatMap(({ id, enabled, connection }): OnPort[] =>
    enabled && connection?.type === 'modbus-rtu' ? [{ id, connection }] : [],
  );
  return [...sharedPorts(onPorts, lines), ...sharedUnits(onPorts)];
}

function sharedPorts(onPorts: readonly OnPort[], lines: LinesFile): ConfigFault[] {
  const places = [
    ...Object.entries(lines).map(([name, { port }]) => ({ path: `lines.${name}.port`, port })),
    ...onPorts
      .filter(({ connection }) => connection.line === undefined)
      .map(({ id, connection }) => ({
        path: `plugins.${id}.connection_params.serial_port`,
        port: connection.serialPort,
      })),
  ];
  const owners = new Map<string, string>();
  return places.flatMap(({ path, port }) => {
    // A twin's socket is not a port.
    if (/^bench:/i.test(port)) return [];
    const real = realPortOf(port);
    const owner = owners.get(real);
    owners.set(real, owner ?? path);
    if (owner === undefined) return [];
    const message = `is the port of ${owner} already; describe it once under lines and give each device there line and unit_id`;
    return [{ path, value: JSON.stringify(port), message }];
  });
}

function sharedUnits(onPorts: readonly OnPort[]): ConfigFault[] {
  const owners = new Map<string, string>();
  return onPorts.flatMap(({ id, connection: { line, deviceId } }) => {
    if (line === undefined) return [];
    const key = `${line.name} ${deviceId}`;
    const owner = owners.get(key);
    owners.set(key, owner ?? id);
    if (owner === undefined) return [];
    const message = `is the unit id of plugins.${owner} on lines.${line.name} already; set another one at the device, and here`;
    return [{ path: `plugins.${id}.connection_params.unit_id`, value: String(deviceId), message }];
  });
}

/** The path of an address, and where it leads: two names below /dev may be one port. */
function realPortOf(address: string): string {
  const path = address.replace(/^serial:/i, '').split('?')[0] ?? address;
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
