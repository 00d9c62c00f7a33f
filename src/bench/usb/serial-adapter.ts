import type { SerialTwin } from '../../devices/twin.ts';
import { GROUPED, serialParts } from './descriptors/serial.ts';
import { configurationDescriptor, deviceDescriptor } from './descriptors/standard.ts';
import { serialFunction } from './device/serial-function.ts';
import type { UsbDevice } from './device/usb-device.ts';

const PLACES = { control: 0, data: 1, notification: 0x81, dataIn: 0x82, dataOut: 0x02 } as const;

/**
 * A USB serial adapter (CH343: 1a86:55d3, CDC-ACM) with a line behind it. The rate and parity that the host sets are those of
 * the line.
 *
 * @param options.serial of the adapter: two adapters of one kind differ in it alone
 */
export function serialAdapterUsbDevice(options: { line: SerialTwin; serial: string }): UsbDevice {
  return {
    descriptors: {
      device: deviceDescriptor({
        class: GROUPED,
        maxPacketBytes: 64,
        vendorId: 0x1a86,
        productId: 0x55d3,
        bcdDevice: 0x0445,
        strings: { manufacturer: 1, product: 2, serial: 3 },
      }),
      strings: ['wch.cn', 'USB Single Serial', options.serial],
      ofInterfaces: [],
      configuration: configurationDescriptor({ milliamperes: 134, parts: serialParts(PLACES) }),
    },
    attach: () => serialFunction({ ...PLACES, line: options.line }),
  };
}
