import { configurationValueOf, identityOf, interfacesOf } from '../../usb/descriptors/usb-descriptors.ts';
import type { UsbDevice } from '../../usb/device/usb-device.ts';
import type { DeviceSummary } from '../protocol/operations.ts';

/** A device and the place where it is plugged in. */
export interface UsbipDevice {
  /** As Linux writes it, `<bus>-<port>`, for example `1-1`; at most 31 characters. */
  busId: string;
  usb: UsbDevice;
}

const BUS_ID = /^(\d{1,4})-\d{1,3}(\.\d{1,3})*$/;
/** enum usb_device_speed of Linux. */
const FULL_SPEED = 2;
/** The first number that Linux gives to a device; 1 is the hub of the bus. */
const FIRST_DEVICE_NUMBER = 2;

/** A place where a device is plugged in, or was, and the host that has it. */
export class UsbipPort {
  readonly busId: string;
  readonly usb: UsbDevice;
  readonly #busNumber: number;
  readonly #deviceNumber: number;
  plugged = true;
  /** Hangs up on the host that has it; undefined while it is free. */
  hangUp: (() => void) | undefined;

  /** @param position 0.. among the exported devices. @throws RangeError when the bus id is not one */
  constructor({ busId, usb }: UsbipDevice, position: number) {
    const bus = BUS_ID.exec(busId)?.[1];
    if (bus === undefined || busId.length > 31)
      throw new RangeError(`bus id "${busId}" is not of the form <bus>-<port>, for example 1-1`);
    this.busId = busId;
    this.usb = usb;
    this.#busNumber = Number(bus);
    this.#deviceNumber = FIRST_DEVICE_NUMBER + position;
  }

  /** How the host names it in each transfer. */
  get deviceId(): number {
    return this.#busNumber * 0x1_0000 + this.#deviceNumber;
  }

  /** What is told of it before it is imported. */
  get summary(): DeviceSummary {
    const { descriptors } = this.usb;
    return {
      path: `/sys/devices/platform/svc-bench/usb${this.#busNumber}/${this.busId}`,
      busId: this.busId,
      busNumber: this.#busNumber,
      deviceNumber: this.#deviceNumber,
      speed: FULL_SPEED,
      ...identityOf(descriptors),
      configurationValue: configurationValueOf(descriptors),
      interfaces: interfacesOf(descriptors),
    };
  }
}
