import { StartRefusedError } from '../../lib/http/exposure.ts';
import { parseAddress } from '../../transports/address.ts';
import type { Connection, Plugin, PluginId } from '../configuration/types.ts';

type Environment = Readonly<Record<string, string | undefined>>;
type Owned = Extract<PluginId, 'pump-motor' | 'lung-motor' | 'sensor-adc'>;

const TIMEOUT_MS = 2000;

/**
 * The device that a service owns itself, as a plugin entry: from the environment, for in `svc.yaml` the plugin of the
 * same name leads to the service (services specification, sections 7 to 9 and 13).
 *
 * - `pump-motor`: SVC_PUMP_SERIAL_PORT, a serial path; there is no default
 * - `lung-motor`: SVC_LUNG_ADDRESS, default `usb:1ffb:00c9`; SVC_LUNG_SERIAL, a serial number, when there are several
 * - `sensor-adc`: SVC_I2C_BUS, a bus number, path or `bench:<socket>`, default 1; SVC_ADS1115_ADDRESS, default 0x48
 *
 * @returns undefined when the environment does not say where the device is
 * @throws StartRefusedError naming variable, value and remedy
 */
export function ownedPlugin(id: Owned, env: Environment): Plugin | undefined {
  const connection = CONNECTIONS[id](env);
  return (
    connection && { id, enabled: true, connection, fault: undefined, timeoutMs: TIMEOUT_MS, retryCount: 1 }
  );
}

const CONNECTIONS: Readonly<Record<Owned, (env: Environment) => Connection | undefined>> = {
  'pump-motor': (env) => {
    const serialPort = env.SVC_PUMP_SERIAL_PORT;
    if (!serialPort) return undefined;
    mustBe('SVC_PUMP_SERIAL_PORT', serialPort, ['serial', 'bench'], 'a path such as /dev/ttyUSB0');
    return { type: 'modbus-rtu', serialPort, baudrate: 9600, parity: 'N', deviceId: 50 };
  },
  'lung-motor': (env) => {
    const address = env.SVC_LUNG_ADDRESS || 'usb:1ffb:00c9';
    mustBe('SVC_LUNG_ADDRESS', address, ['usb', 'bench'], 'usb:1ffb:00c9 or bench:<socket>');
    return { type: 'usb', address, serial: env.SVC_LUNG_SERIAL || null };
  },
  'sensor-adc': (env) => {
    const given = env.SVC_I2C_BUS || '1';
    const bus = /^\d{1,3}$/.test(given) ? `/dev/i2c-${given}` : given;
    mustBe('SVC_I2C_BUS', bus, ['i2c', 'bench'], 'a bus number, /dev/i2c-N or bench:<socket>');
    const address = env.SVC_ADS1115_ADDRESS || '0x48';
    if (!/^0x4[89ab]$/i.test(address)) refuse('SVC_ADS1115_ADDRESS', address, '0x48, 0x49, 0x4A or 0x4B');
    return { type: 'i2c', bus, address: Number(address) };
  },
};

function mustBe(name: string, value: string, schemes: readonly string[], remedy: string): void {
  let scheme: string | undefined;
  try {
    ({ scheme } = parseAddress(value));
  } catch {
    // Told below, with the name of the variable.
  }
  if (scheme === undefined || !schemes.includes(scheme)) refuse(name, value, remedy);
}

function refuse(name: string, value: string, remedy: string): never {
  throw new StartRefusedError(`${name} = ${JSON.stringify(value)} must be ${remedy}`);
}
