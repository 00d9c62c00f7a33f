import type { UsbTwin } from '../../devices/twin.ts';
import {
  type ClassTriple,
  configurationDescriptor,
  deviceDescriptor,
  interfaceDescriptor,
} from './descriptors/standard.ts';
import type { UsbDescriptors } from './descriptors/usb-descriptors.ts';
import type { UsbDevice } from './device/usb-device.ts';

const VENDOR: ClassTriple = [0xff, 0x00, 0x00];

/** @param serial serial string. @param bcdDevice version of the firmware, BCD: 0x0106 is 1.06 */
export interface TicIdentity {
  serial: string;
  bcdDevice: number;
}

/** The Tic T249 as a USB device: endpoint 0 and nothing else (devices.md section 4). */
export function ticUsbDevice(twin: UsbTwin, identity: TicIdentity): UsbDevice {
  return {
    descriptors: ticDescriptors(identity),
    attach: () => ({
      control: ({ requestType, request, value, index, length, type, direction }) => {
        // The twin's OUT requests have no data stage, as all of the real one's.
        if (type !== 'vendor' || (direction === 'out' && length > 0)) return undefined;
        return twin.control({ requestType, request, value, index, length });
      },
      endpoints: new Map(),
      detach: () => {},
    }),
  };
}

function ticDescriptors({ serial, bcdDevice }: TicIdentity): UsbDescriptors {
  return {
    device: deviceDescriptor({
      class: VENDOR,
      maxPacketBytes: 8,
      vendorId: 0x1ffb,
      productId: 0x00c9,
      bcdDevice,
      strings: { manufacturer: 1, product: 2, serial: 3 },
    }),
    strings: ['Pololu Corporation', 'Tic T249 Stepper Motor Controller', serial],
    ofInterfaces: [],
    configuration: configurationDescriptor({
      milliamperes: 100,
      parts: [interfaceDescriptor({ number: 0, endpoints: 0, class: VENDOR })],
    }),
  };
}
