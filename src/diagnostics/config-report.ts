import { messageOf } from '../lib/errors/coded-error.ts';
import { loadRigConfig, type RigConfig } from '../rig/configuration/load-rig-config.ts';
import { readConfigFile } from '../rig/configuration/read-file.ts';
import type { ModbusRtuConnection } from '../rig/configuration/types.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** How the valve board is reached. */
export interface ModbusSettings {
  serial_port: string;
  baudrate: number;
  parity: 'N' | 'E' | 'O';
  device_id: number;
}

/** A variable that says something else than `svc.yaml`. */
export interface Override {
  variable: string;
  value: string;
  /** Of `svc.yaml`. */
  path: string;
  file_value: string | number;
}

export interface ConfigReport {
  ok: true;
  /** Null where there is no file and the defaults hold. */
  path: string | null;
  plugins: Readonly<Record<string, PluginReport>>;
  overridden: readonly Override[];
  /** SVC_MODBUS_* variables that are set: each wins over the file and over the defaults. */
  variables: Readonly<Record<string, string>>;
  /** Of the valve board, as the bridge reads it; null where it is absent, disabled or not on a serial line. */
  modbus: (ModbusSettings & { line: string | null }) | null;
}

interface PluginReport {
  enabled: boolean;
  connection_type: string;
  connection_params: Readonly<Record<string, unknown>>;
}

export type ConfigResult =
  | { report: ConfigReport; loaded: RigConfig }
  | { report: { ok: false; path: string | null; error: string } };

/** Each with the setting that it wins over. */
export const MODBUS_VARIABLES = [
  ['SVC_MODBUS_SERIAL_PORT', 'serial_port'],
  ['SVC_MODBUS_BAUD', 'baudrate'],
  ['SVC_MODBUS_PARITY', 'parity'],
  ['SVC_MODBUS_DEVICE_ID', 'device_id'],
] as const;

/** What the configuration says. A faulty one is reported, never thrown. */
export function readConfig(sources: { env: Environment; cwd: string; systemPath: string }): ConfigResult {
  const { env } = sources;
  try {
    const loaded = loadRigConfig(sources);
    const { config, path } = loaded;
    const plugins = Object.fromEntries(
      config.plugins.map(({ id, enabled, connection, fault }) => {
        const { type, ...params } = connection ?? { type: `invalid: ${fault}` };
        return [id, { enabled, connection_type: type, connection_params: snakeKeys(params) }];
      }),
    );
    const valves = config.plugins.find(({ id }) => id === 'modbus-io');
    const modbus =
      valves?.enabled && valves.connection?.type === 'modbus-rtu' ? settingsOf(valves.connection) : null;
    const report: ConfigReport = {
      ok: true,
      path: path ?? null,
      plugins,
      variables: variablesOf(env),
      overridden: path === undefined ? [] : overrides(env, fileParams(path)),
      modbus: modbus && {
        ...modbus,
        line: (valves?.connection?.type === 'modbus-rtu' && valves.connection.line?.name) || null,
      },
    };
    return { report, loaded };
  } catch (fault) {
    const path = env.SVC_CONFIG_PATH || null;
    return { report: { ok: false, path, error: messageOf(fault) } };
  }
}

export const settingsOf = (connection: ModbusRtuConnection): ModbusSettings => ({
  // `serial:<path>?baud=...` names the same port.
  serial_port: connection.serialPort.replace(/^serial:([^?]*).*$/, '$1'),
  baudrate: connection.baudrate,
  parity: connection.parity,
  device_id: connection.deviceId,
});

function fileParams(path: string): Readonly<Record<string, unknown>> {
  return readConfigFile(path).plugins?.['modbus-io']?.connection_params ?? {};
}

const variablesOf = (env: Environment): Record<string, string> =>
  Object.fromEntries(
    MODBUS_VARIABLES.flatMap(([name]) => {
      const value = env[name];
      return value ? [[name, value] as const] : [];
    }),
  );

function overrides(env: Environment, params: Readonly<Record<string, unknown>>): Override[] {
  return MODBUS_VARIABLES.flatMap(([variable, key]) => {
    const value = env[variable];
    const own = params[key];
    if (!value || (typeof own !== 'string' && typeof own !== 'number') || String(own) === value) return [];
    return [{ variable, value, path: `plugins.modbus-io.connection_params.${key}`, file_value: own }];
  });
}

const snakeKeys = (params: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(params).map(([key, value]) => [
      key.replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`),
      value,
    ]),
  );
