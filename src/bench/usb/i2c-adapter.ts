import type { I2cTwin } from '../../devices/twin.ts';
import {
  type ClassTriple,
  configurationDescriptor,
  deviceDescriptor,
  interfaceDescriptor,
} from './descriptors/standard.ts';
import type { SetupPacket } from './device/setup-packet.ts';
import type { UsbDevice } from './device/usb-device.ts';

const VENDOR: ClassTriple = [0xff, 0x00, 0x00];
/** Vendor requests of Linux's `i2c-tiny-usb`; a transfer is 4, with bit 0 for its first and bit 1 for its last message. */
const Request = { functionality: 1, setDelay: 2, status: 3, transfer: 4 } as const;
const LAST_TRANSFER_REQUEST = 7;
const Status = { acknowledged: 1, notAcknowledged: 2 } as const;
/** I2C_FUNC_I2C and I2C_FUNC_SMBUS_EMUL: plain transfers and all that can be made of them. */
const FUNCTIONALITY = 0x0eff_0001;
const DONE = new Uint8Array();

/**
 * An I2C adapter on USB (0403:c631) that Linux's own driver `i2c-tiny-usb` makes a `/dev/i2c-N` of, with the twins on its bus:
 * how an emulated machine without an I2C controller gets one. Each message of a transfer is one to the twin.
 */
export function i2cAdapterUsbDevice(twins: ReadonlyMap<number, I2cTwin>, serial: string): UsbDevice {
  return {
    descriptors: {
      device: deviceDescriptor({
        class: VENDOR,
        maxPacketBytes: 8,
        vendorId: 0x0403,
        productId: 0xc631,
        bcdDevice: 0x0205,
        strings: { manufacturer: 1, product: 2, serial: 3 },
      }),
      strings: ['svc-bench', 'i2c-tiny-usb', serial],
      ofInterfaces: [],
      configuration: configurationDescriptor({
        milliamperes: 100,
        parts: [interfaceDescriptor({ number: 0, endpoints: 0, class: VENDOR })],
      }),
    },
    attach: () => {
      let status: number = Status.acknowledged;
      const transfer = (setup: SetupPacket, data: Uint8Array): Uint8Array => {
        const isRead = setup.direction === 'in';
        const answer = twins.get(setup.index)?.transfer(data, isRead ? setup.length : 0);
        status = answer?.ok ? Status.acknowledged : Status.notAcknowledged;
        // The adapter has a data stage whatever the chip does: its status tells that there is no data.
        if (!isRead) return DONE;
        return answer?.ok ? answer.bytes : new Uint8Array(setup.length).fill(0xff);
      };
      return {
        control: (setup, data) => {
          if (setup.type !== 'vendor') return undefined;
          if (setup.request >= Request.transfer && setup.request <= LAST_TRANSFER_REQUEST)
            return transfer(setup, data);
          if (setup.request === Request.functionality) return functionality();
          if (setup.request === Request.setDelay) return DONE;
          return setup.request === Request.status ? Uint8Array.of(status) : undefined;
        },
        endpoints: new Map(),
        detach: () => {},
      };
    },
  };
}

function functionality(): Uint8Array {
  const word = Buffer.alloc(4);
  word.writeUInt32LE(FUNCTIONALITY);
  return Uint8Array.from(word);
}
