import { type I2cBus, openI2cBus } from '../../../transports/index.ts';
import { type DeviceAccess, usable } from './access.ts';
import { addressAccess } from './managed-access.ts';
import type { Driven } from './managed-device.ts';
import type { OpenDevicesOptions } from './open-devices.ts';

/** How a chip on an I2C bus is reached by a driver in this process. */
export function i2cAccess<T>(
  options: OpenDevicesOptions,
  id: string,
  drive: (bus: I2cBus, address: number) => Driven<T>,
): DeviceAccess<T> {
  const judged = usable(options.plugins, id, ['i2c']);
  if ('kind' in judged) return judged;
  const { bus: address, address: chip } = judged.connection;
  const open = async () => {
    const bus = openI2cBus(address, { clock: options.clock });
    return { ...drive(bus, chip), close: () => bus.close() };
  };
  return addressAccess(options, id, judged, address, `${address}#0x${chip.toString(16)}`, open);
}
