import { realpathSync } from 'node:fs';
import { Ads1115 } from '../../../devices/ads1115/driver.ts';
import { Dri0050 } from '../../../devices/dri0050/driver.ts';
import { ModbusIo } from '../../../devices/modbus-io/driver.ts';
import { RtuLine } from '../../../devices/modbus-rtu/line.ts';
import type { ModbusMaster } from '../../../devices/modbus-rtu/master.ts';
import type { ReplyTimingOptions } from '../../../devices/modbus-rtu/timing.ts';
import { ModbusTcpMaster } from '../../../devices/modbus-tcp/tcp-master.ts';
import type { Clock } from '../../../lib/clock/clock.ts';
import type { I2cConnection, ModbusRtuConnection, Plugin, PluginId } from '../../../lib/config/types.ts';
import { messageOf } from '../../../lib/errors/coded-error.ts';
import { isLocalAddress, isLoopback } from '../../../lib/http/loopback.ts';
import type { LockHolder } from '../../../lib/lock/lock.ts';
import { hidLockKey, i2cLockKey, serialLockKey, usbLockKey } from '../../../lib/lock/lock-key.ts';
import {
  type Address,
  isBench,
  openByteTransport,
  openI2cBus,
  parityOf,
  parseAddress,
  TcpTransport,
} from '../../../transports/index.ts';
import type { DeviceEvents, RigDevices } from '../rig-device.ts';
import { RigError } from '../rig-error.ts';
import { type DeviceAccess, usable } from './access.ts';
import { DeviceSlot, type DeviceSlotOptions, type Opened } from './device-slot.ts';
import type { AdcDriver, PumpDriver, ValveDriver } from './drivers.ts';
import { drivenLung } from './lung.ts';
import { drivenPump } from './pump.ts';
import { drivenSensors } from './sensors.ts';
import { drivenValves } from './valves.ts';

export interface OpenDevicesOptions extends DeviceEvents {
  plugins: readonly Plugin[];
  clock: Clock;
  identity: () => LockHolder;
}

/** The devices that `svc.yaml` names. Nothing is opened yet. */
export function realDevices(options: OpenDevicesOptions): RigDevices {
  const { clock } = options;
  return {
    valves: drivenValves(valveAccess(options), clock),
    pump: drivenPump(pumpAccess(options), clock),
    lung: drivenLung(notDriven(options.plugins, 'lung-motor'), clock),
    sensors: drivenSensors(sensorAccess(options), clock),
  };
}

/** How the IO module is reached by a driver in this process. */
export function valveAccess(options: OpenDevicesOptions): DeviceAccess<ValveDriver> {
  return onModbus(options, 'modbus-io', (line, unit): Driven<ValveDriver> => {
    const io = new ModbusIo(line, { unit });
    return { driver: io, start: () => io.start(), probe: () => io.probe() };
  });
}

/** How the pump is reached by a driver in this process. */
export function pumpAccess(options: OpenDevicesOptions): DeviceAccess<PumpDriver> {
  return onModbus(options, 'pump-motor', (line, unit): Driven<PumpDriver> => {
    const pump = new Dri0050(line, { unit });
    return { driver: pump, start: () => pump.start(), probe: () => pump.readState() };
  });
}

/** How the converter is reached by a driver in this process. */
export function sensorAccess(options: OpenDevicesOptions): DeviceAccess<AdcDriver> {
  return onI2cBus(options, 'sensor-adc', (bus, address): Driven<AdcDriver> => {
    const adc = new Ads1115(bus, { address, clock: options.clock });
    return { driver: adc, start: () => adc.probe(), probe: () => adc.probe() };
  });
}

type Driven<T> = Omit<Opened<T>, 'close'>;

/** The longest one reply is waited for. */
const REPLY_TIMEOUT_MS = 500;
/** Of a short `timeout`: the rest is for the silence before the request and its way. */
const REPLY_SHARE = 0.8;

function replyTimes({ timeoutMs, retryCount }: Plugin): ReplyTimingOptions {
  return {
    replyTimeoutMs: Math.min(REPLY_TIMEOUT_MS, REPLY_SHARE * timeoutMs),
    totalMs: timeoutMs,
    attempts: retryCount + 1,
  };
}

function onModbus<T>(
  options: OpenDevicesOptions,
  id: PluginId,
  drive: (master: ModbusMaster, unit: number) => Driven<T>,
): DeviceAccess<T> {
  const judged = usable(options.plugins, id, ['modbus-rtu', 'modbus-tcp']);
  if ('kind' in judged) return judged;
  const { plugin, connection } = judged;
  const { clock } = options;
  const times = replyTimes(plugin);
  const opened = async (master: RtuLine | ModbusTcpMaster, onLost: (cause: unknown) => void) => {
    await master.open();
    const forget = master.onState((state) => {
      if (state === 'absent') onLost(new RigError('device_unavailable', id, `${master.endpoint} went away`));
    });
    const close = () => {
      forget();
      return master.close();
    };
    return { ...drive(master, connection.deviceId), close };
  };
  if (connection.type === 'modbus-tcp') {
    const { host, port } = connection;
    const endpoint = `${host}:${port}`;
    return slotAccess(options, id, {
      plugin,
      endpoint,
      path: null,
      lockKeys: () => [`tcp-${endpoint}`],
      // A server does not tell what stands behind it. One on this machine is no device: it is a twin, or may be one.
      isBench: () => isLoopback(host) || isLocalAddress(host),
      open: (onLost) =>
        opened(
          new ModbusTcpMaster({ ...times, clock, transport: new TcpTransport({ host, port, clock }) }),
          onLost,
        ),
    });
  }
  const { serialPort, baudrate, parity } = connection;
  const endpoint = `${serialPort}@${baudrate} 8${parity}1`;
  return access(options, id, { plugin, connection }, serialPort, endpoint, (onLost) => {
    const transport = openByteTransport(serialPort, { baud: baudrate, parity: parityOf(parity) ?? 'none' });
    return opened(new RtuLine({ ...times, clock, transport, baud: baudrate }), onLost);
  });
}

function onI2cBus<T>(
  options: OpenDevicesOptions,
  id: PluginId,
  drive: (bus: ReturnType<typeof openI2cBus>, address: number) => Driven<T>,
): DeviceAccess<T> {
  const judged = usable(options.plugins, id, ['i2c']);
  if ('kind' in judged) return judged;
  const { bus: address, address: chip } = judged.connection;
  const open = async () => {
    const bus = openI2cBus(address, { clock: options.clock });
    return { ...drive(bus, chip), close: () => bus.close() };
  };
  return access(options, id, judged, address, `${address}#0x${chip.toString(16)}`, open);
}

function access<T>(
  options: OpenDevicesOptions,
  id: PluginId,
  { plugin, connection }: { plugin: Plugin; connection: ModbusRtuConnection | I2cConnection },
  address: string,
  endpoint: string,
  open: DeviceSlotOptions<T>['open'],
): DeviceAccess<T> {
  try {
    const parsed = parseAddress(address);
    const path = 'path' in parsed ? parsed.path : null;
    const lockKeys = () => [lockKey(parsed, connection)];
    return slotAccess(options, id, {
      plugin,
      endpoint,
      path,
      lockKeys,
      isBench: () => isBench(address),
      open,
    });
  } catch (fault) {
    return { kind: 'config_error', why: `plugins.${id}: ${messageOf(fault)}` };
  }
}

function slotAccess<T>(
  { clock, identity, onReturn }: OpenDevicesOptions,
  id: PluginId,
  way: Pick<DeviceSlotOptions<T>, 'lockKeys' | 'open'> & {
    plugin: Plugin;
    endpoint: string;
    path: string | null;
    isBench: () => boolean;
  },
): DeviceAccess<T> {
  const { plugin, endpoint, path, lockKeys, open } = way;
  const slot = new DeviceSlot<T>({ device: id, lockKeys, identity, clock, open, onReturn });
  let seen = false;
  // Asked anew, for a twin may come up after the service; once a bench, always marked.
  const bench = () => {
    seen ||= way.isBench();
    return seen;
  };
  return { kind: 'slot', slot, plugin, endpoint, path, bench };
}

function lockKey(parsed: Address, connection: ModbusRtuConnection | I2cConnection): string {
  switch (parsed.scheme) {
    case 'hid':
      return hidLockKey(parsed.vendorId, parsed.productId);
    case 'usb':
      return usbLockKey(parsed.vendorId, parsed.productId);
    // A twin's socket has no device number: its whole path is its name.
    case 'bench':
      return `bench-${realPath(parsed.path)}`;
    default:
      return connection.type === 'i2c'
        ? i2cLockKey(parsed.path, connection.address)
        : serialLockKey(parsed.path);
  }
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function notDriven(plugins: readonly Plugin[], id: PluginId): DeviceAccess<never> {
  const judged = usable(plugins, id, []);
  return 'kind' in judged
    ? judged
    : { kind: 'config_error', why: `plugins.${id}: this service has no driver for it` };
}
