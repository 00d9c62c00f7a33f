import type { UsbTwin } from '../../devices/twin.ts';
import type { UsbIdentity } from '../../transports/usb/usb-control.ts';
import {
  type ClassTriple,
  configurationDescriptor,
  deviceDescriptor,
  interfaceDescriptor,
} from './descriptors/standard.ts';
import type { UsbDescriptors } from './descriptors/usb-descriptors.ts';
import type { UsbDevice } from './device/usb-device.ts';

const VENDOR: ClassTriple = [0xff, 0x00, 0x00];

/** What the Tic says of itself when it is plugged in. */
export type TicIdentity = Omit<UsbIdentity, 'path'>;

export interface TicUsbTwin extends UsbTwin {
  /** How long the answer to the last request is held back, milliseconds; Infinity when it never comes. */
  readonly answerDelayMs?: number;
}

/**
 * A Tic as a USB device: endpoint 0 and nothing else.
 *
 * @param identity asked anew for every host, since a knob may change the firmware
 */
export function ticUsbDevice(twin: TicUsbTwin, identity: () => TicIdentity): UsbDevice {
  return {
    get descriptors() {
      return ticDescriptors(identity());
    },
    attach: () => {
      let answerDelayMs = 0;
      return {
        control: ({ requestType, request, value, index, length, type, direction }) => {
          answerDelayMs = 0;
          // The twin's OUT requests have no data stage, as all of the real one's.
          if (type !== 'vendor' || (direction === 'out' && length > 0)) return undefined;
          const answer = twin.control({ requestType, request, value, index, length });
          answerDelayMs = twin.answerDelayMs ?? 0;
          return answer;
        },
        get answerDelayMs() {
          return answerDelayMs;
        },
        endpoints: new Map(),
        detach: () => {},
      };
    },
  };
}

function ticDescriptors({ vendorId, productId, serial, bcdDevice }: TicIdentity): UsbDescriptors {
  const strings = ['Pololu Corporation', 'Tic T249 Stepper Motor Controller'];
  return {
    device: deviceDescriptor({
      class: VENDOR,
      maxPacketBytes: 8,
      vendorId,
      productId,
      bcdDevice,
      strings: { manufacturer: 1, product: 2, serial: serial === null ? 0 : 3 },
    }),
    strings: serial === null ? strings : [...strings, serial],
    ofInterfaces: [],
    configuration: configurationDescriptor({
      milliamperes: 100,
      parts: [interfaceDescriptor({ number: 0, endpoints: 0, class: VENDOR })],
    }),
  };
}
