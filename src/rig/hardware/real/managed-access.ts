import { realpathSync } from 'node:fs';
import { messageOf } from '../../../lib/errors/coded-error.ts';
import type { LockOptions } from '../../../lib/lock/lock.ts';
import { hidLockKey, i2cLockKey, serialLockKey, usbLockKey } from '../../../lib/lock/lock-key.ts';
import { type Address, isBench, parseAddress } from '../../../transports/index.ts';
import type { Connection, Plugin } from '../../configuration/types.ts';
import type { DeviceAccess } from './access.ts';
import { type DeviceSlotOptions, ManagedDevice } from './managed-device.ts';
import type { OpenDevicesOptions } from './open-devices.ts';

/** A device that an address leads to, on a port of this process. */
export function addressAccess<T>(
  options: OpenDevicesOptions,
  id: string,
  { plugin, connection }: { plugin: Plugin; connection: Connection },
  address: string,
  endpoint: string,
  open: DeviceSlotOptions<T>['open'],
): DeviceAccess<T> {
  try {
    const parsed = parseAddress(address);
    const path = 'path' in parsed ? parsed.path : null;
    const lockKeys = () => [lockKey(parsed, connection)];
    return managedAccess(options, id, {
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

/** A device on a port of this process. */
export function managedAccess<T>(
  { clock, identity, onReturn, lines }: OpenDevicesOptions,
  id: string,
  way: Pick<DeviceSlotOptions<T>, 'lockKeys' | 'open'> & {
    plugin: Plugin;
    endpoint: string;
    path: string | null;
    isBench: () => boolean;
  },
): DeviceAccess<T> {
  const { plugin, endpoint, path, lockKeys, open } = way;
  const takeLock = lines && ((lock: LockOptions) => lines.takeLock(lock));
  const slot = new ManagedDevice<T>({ device: id, lockKeys, identity, clock, open, onReturn, takeLock });
  let seen = false;
  // Asked anew, for a twin may come up after the service; once a bench, always marked.
  const bench = () => {
    seen ||= way.isBench();
    return seen;
  };
  return { kind: 'slot', slot, plugin, endpoint, path, bench };
}

/** Key of the lock of a device on a port of this machine; undefined for one that is reached by a network. */
export function lockKeyOf(connection: Connection): string | undefined {
  switch (connection.type) {
    case 'usb':
      return lockKey(parseAddress(connection.address), connection);
    case 'modbus-rtu':
      return lockKey(parseAddress(connection.serialPort), connection);
    case 'i2c':
      return lockKey(parseAddress(connection.bus), connection);
    default:
      return undefined;
  }
}

function lockKey(parsed: Address, connection: Connection): string {
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
