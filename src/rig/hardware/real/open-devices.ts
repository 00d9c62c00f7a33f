import { realpathSync } from 'node:fs';
import { Ads1115 } from '../../../devices/ads1115/driver.ts';
import { Dri0050 } from '../../../devices/dri0050/driver.ts';
import { ModbusIo } from '../../../devices/modbus-io/driver.ts';
import { RtuLine } from '../../../devices/modbus-rtu/line.ts';
import type { Clock } from '../../../lib/clock/clock.ts';
import type { I2cConnection, ModbusRtuConnection, Plugin, PluginId } from '../../../lib/config/types.ts';
import { messageOf } from '../../../lib/errors/coded-error.ts';
import type { LockHolder } from '../../../lib/lock/lock.ts';
import { i2cLockKey, serialLockKey } from '../../../lib/lock/lock-key.ts';
import { isBench, openByteTransport, openI2cBus, parseAddress } from '../../../transports/index.ts';
import { RigError } from '../rig-error.ts';
import { type DeviceAccess, usable } from './access.ts';
import { DeviceSlot, type Opened } from './device-slot.ts';
import type { AdcDriver, PumpDriver, ValveDriver } from './drivers.ts';
import type { RealDevices } from './real-rig.ts';

export interface OpenDevicesOptions {
  plugins: readonly Plugin[];
  clock: Clock;
  identity: () => LockHolder;
  onReturn: () => void;
}

/** The slots of the devices that `svc.yaml` names. Nothing is opened yet. */
export function realDevices(options: OpenDevicesOptions): RealDevices {
  const { plugins, clock } = options;
  return {
    valves: onSerialLine(options, 'modbus-io', (line, unit): Driven<ValveDriver> => {
      const io = new ModbusIo(line, { unit });
      return { driver: io, start: () => io.start(), probe: () => io.probe() };
    }),
    pump: onSerialLine(options, 'pump-motor', (line, unit): Driven<PumpDriver> => {
      const pump = new Dri0050(line, { unit });
      return { driver: pump, start: () => pump.start(), probe: () => pump.readState() };
    }),
    sensors: onI2cBus(options, 'sensor-adc', (bus, address): Driven<AdcDriver> => {
      const adc = new Ads1115(bus, { address, clock });
      return { driver: adc, start: () => adc.probe(), probe: () => adc.probe() };
    }),
    lung: notDriven(plugins, 'lung-motor'),
  };
}

type Driven<T> = Omit<Opened<T>, 'close'>;

function onSerialLine<T>(
  options: OpenDevicesOptions,
  id: PluginId,
  drive: (line: RtuLine, unit: number) => Driven<T>,
): DeviceAccess<T> {
  const judged = usable(options.plugins, id, ['modbus-rtu']);
  if ('kind' in judged) return judged;
  const { serialPort, baudrate, parity, deviceId } = judged.connection;
  if (parity !== 'N')
    return { kind: 'config_error', why: `plugins.${id}: parity ${parity} is not driven; set N` };
  const open = async (onLost: (cause: unknown) => void) => {
    const transport = openByteTransport(serialPort, { baud: baudrate });
    const line = new RtuLine({ transport, baud: baudrate, clock: options.clock });
    await line.open();
    const forget = line.onState((state) => {
      if (state === 'absent') onLost(new RigError('device_unavailable', id, `${serialPort} went away`));
    });
    const close = () => {
      forget();
      return line.close();
    };
    return { ...drive(line, deviceId), close };
  };
  return access(options, id, judged, serialPort, `${serialPort}@${baudrate} 8N1`, open);
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
  { clock, identity, onReturn }: OpenDevicesOptions,
  id: PluginId,
  { plugin, connection }: { plugin: Plugin; connection: ModbusRtuConnection | I2cConnection },
  address: string,
  endpoint: string,
  open: (onLost: (cause: unknown) => void) => Promise<Opened<T>>,
): DeviceAccess<T> {
  try {
    const parsed = parseAddress(address);
    const path = 'path' in parsed ? parsed.path : null;
    const lockKeys = () => [lockKey(parsed, connection)];
    const slot = new DeviceSlot<T>({ device: id, lockKeys, identity, clock, open, onReturn });
    let seen = false;
    // Asked anew, for a twin may come up after the service; once a bench, always marked.
    const bench = () => {
      seen ||= isBench(address);
      return seen;
    };
    return { kind: 'slot', slot, plugin, endpoint, path, bench };
  } catch (fault) {
    return { kind: 'config_error', why: `plugins.${id}: ${messageOf(fault)}` };
  }
}

function lockKey(
  parsed: ReturnType<typeof parseAddress>,
  connection: ModbusRtuConnection | I2cConnection,
): string {
  if (!('path' in parsed)) return `${parsed.scheme}-${parsed.text}`;
  // A twin's socket has no device number: its whole path is its name.
  if (parsed.scheme === 'bench') return `bench-${realPath(parsed.path)}`;
  return connection.type === 'i2c' ? i2cLockKey(parsed.path, connection.address) : serialLockKey(parsed.path);
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
