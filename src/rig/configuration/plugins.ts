import type { ConfigFault } from '../../lib/config/config-error.ts';
import { readConnection } from './connection.ts';
import type { FileConfig, PluginFile } from './file-schema.ts';
import type { LinesFile } from './line-schema.ts';
import { PLUGIN_IDS, type Plugin, type PluginId } from './types.ts';

type Environment = Readonly<Record<string, string | undefined>>;

interface Entry extends Omit<PluginFile, 'connection_params'> {
  connection_params: Record<string, unknown>;
}

/** What a rig without a file has (services specification, section 13). */
const DEFAULTS: Readonly<Partial<Record<PluginId, { type: string; params: Record<string, unknown> }>>> = {
  'sensor-adc': { type: 'http', params: { base_url: 'http://127.0.0.1:8080' } },
  'pump-motor': { type: 'http', params: { base_url: 'http://127.0.0.1:49055' } },
  'lung-motor': { type: 'http', params: { base_url: 'http://127.0.0.1:8205' } },
  'modbus-io': { type: 'modbus-rtu', params: { serial_port: '/dev/ttyACM1', baudrate: 19_200 } },
};

/** variable -> plugin, connection type it stands for, parameter, and whether it is a number */
const VARIABLES: readonly (readonly [string, PluginId, string, string, boolean])[] = [
  ['SVC_MOTOR_URL', 'pump-motor', 'http', 'base_url', false],
  ['SVC_LUNG_MOTOR_URL', 'lung-motor', 'http', 'base_url', false],
  ['SVC_SENSOR_ADC_URL', 'sensor-adc', 'http', 'base_url', false],
  ['SVC_MODBUS_SERIAL_PORT', 'modbus-io', 'modbus-rtu', 'serial_port', false],
  ['SVC_MODBUS_BAUD', 'modbus-io', 'modbus-rtu', 'baudrate', true],
  ['SVC_MODBUS_PARITY', 'modbus-io', 'modbus-rtu', 'parity', false],
  ['SVC_MODBUS_DEVICE_ID', 'modbus-io', 'modbus-rtu', 'device_id', true],
];

/**
 * The plugins of the file, or the defaults when it names none, with the environment on top (SVC-048). A bad entry of the
 * file stays visible as a plugin with a fault; a bad variable goes to `faults` and stops the start.
 */
export function resolvePlugins(
  file: FileConfig['plugins'],
  env: Environment,
  faults: ConfigFault[],
  lines: LinesFile = {},
): Plugin[] {
  const entries = new Map<PluginId, Entry>();
  for (const id of PLUGIN_IDS) {
    const given = file?.[id];
    const byDefault = DEFAULTS[id];
    if (given) entries.set(id, { ...given, connection_params: { ...given.connection_params } });
    else if (!file && byDefault) entries.set(id, entryOf(byDefault.type, byDefault.params));
  }
  for (const [name, id, type, parameter, numeric] of VARIABLES) {
    const value = env[name];
    if (value === undefined || value === '') continue;
    let entry = entries.get(id);
    if (entry?.connection_type !== type) {
      entry = { ...(entry ?? entryOf(type, {})), connection_type: type, connection_params: {} };
      entries.set(id, entry);
    }
    if (Object.hasOwn(entry.connection_params, 'line')) {
      const message = `plugins.${id} is on a line; change lines.${entry.connection_params.line} in svc.yaml, or take this variable out`;
      faults.push({ path: name, value: JSON.stringify(value), message });
      continue;
    }
    entry.connection_params[parameter] = numeric && /^\d+$/.test(value) ? Number(value) : value;
    const result = readConnection(id, type, entry.connection_params);
    const where = `plugins.${id}.connection_params.${parameter} = `;
    const fault =
      'fault' in result ? result.fault.split('; ').find((text) => text.startsWith(where)) : undefined;
    if (fault)
      faults.push({
        path: name,
        value: JSON.stringify(value),
        message: fault.slice(fault.indexOf(': ') + 2),
      });
  }
  return [...entries].map(([id, entry]) => toPlugin(id, entry, lines));
}

function entryOf(type: string, params: Record<string, unknown>): Entry {
  return {
    enabled: true,
    connection_type: type,
    connection_params: { ...params },
    timeout: 2.0,
    retry_count: 1,
  };
}

function toPlugin(id: PluginId, entry: Entry, lines: LinesFile): Plugin {
  const result = readConnection(id, entry.connection_type, entry.connection_params, lines);
  return {
    id,
    enabled: entry.enabled,
    connection: 'connection' in result ? result.connection : undefined,
    fault: 'fault' in result ? result.fault : undefined,
    timeoutMs: entry.timeout * 1000,
    retryCount: entry.retry_count,
  };
}
