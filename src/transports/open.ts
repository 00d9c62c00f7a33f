import { type Clock, systemClock } from '../lib/clock/clock.ts';
import { type Address, parseAddress } from './address.ts';
import { SocketTransport } from './bench/socket-transport.ts';
import type { ByteTransport } from './byte-transport.ts';
import { BenchHid } from './hid/bench-hid.ts';
import type { HidTransport } from './hid/hid-transport.ts';
import { LinuxHid } from './hid/linux-hid.ts';
import type { HidDriver } from './hid/node-hid.ts';
import { BenchI2cBus } from './i2c/bench-i2c-bus.ts';
import type { I2cBus } from './i2c/i2c-bus.ts';
import { LinuxI2cBus } from './i2c/linux-i2c-bus.ts';
import type { Rs485 } from './serial/rs485.ts';
import type { SerialFormat } from './serial/serial-format.ts';
import { loadSerialPort, SerialTransport } from './serial/serial-transport.ts';
import type { HostRoots } from './sysfs/find-usb.ts';
import { TransportError } from './transport-error.ts';
import { BenchUsb } from './usb/bench-usb.ts';
import { LinuxUsb } from './usb/linux-usb.ts';
import type { UsbControl } from './usb/usb-control.ts';
import { CONTROL_TIMEOUT_MS } from './usb/usb-fault.ts';
import { loadUsb } from './usb/usb-package.ts';

export interface OpenByteOptions extends Partial<SerialFormat> {
  baud: number;
  /** RS-485 mode of the kernel's driver, for a serial port. */
  rs485?: Rs485 | undefined;
  /** Root of sysfs. */
  sys?: string;
}

/**
 * The byte transport an address names; nothing is opened yet. What the address says (`?baud=`, `&parity=`, `&bits=`)
 * wins over the options; without either it is 8N1.
 *
 * @throws TransportError `address_invalid`
 */
export function openByteTransport(address: string, options: OpenByteOptions): ByteTransport {
  const parsed = parseAddress(address);
  switch (parsed.scheme) {
    case 'serial': {
      const { text, scheme, ...line } = parsed;
      return new SerialTransport({ ...options, ...line, address });
    }
    case 'bench':
      return new SocketTransport({ address, path: parsed.path });
    default:
      throw wrongKind(address, 'a serial line', 'a path, serial:<path> or bench:<socket path>');
  }
}

/**
 * Loads the native package that an address needs, so that opening it later takes no time for that. Nothing is opened; a
 * package that does not load is reported at the opening.
 */
export async function preload(address: string): Promise<void> {
  const loading: Partial<Record<Address['scheme'], () => Promise<unknown>>> = {
    serial: loadSerialPort,
    usb: loadUsb,
  };
  try {
    await loading[parseAddress(address).scheme]?.();
  } catch {
    // An invalid address is reported when it is opened.
  }
}

/**
 * The I2C bus an address names; it is opened by its first transfer. The `#<device>` part is the caller's.
 *
 * @throws TransportError `address_invalid`
 */
export function openI2cBus(address: string, options: { clock?: Clock } = {}): I2cBus {
  const parsed = parseAddress(address);
  const { clock = systemClock } = options;
  switch (parsed.scheme) {
    case 'i2c':
      return new LinuxI2cBus({ address, path: parsed.path, clock });
    case 'bench':
      return new BenchI2cBus({ address, path: parsed.path, clock });
    default:
      throw wrongKind(address, 'an I2C bus', 'i2c:/dev/i2c-<n> or bench:<socket path>');
  }
}

/**
 * The HID interface an address names; nothing is opened yet. `auto` takes hidraw if the kernel made a node, else
 * libusb. The backend says nothing about a twin.
 *
 * @throws TransportError `address_invalid`
 */
export function openHidTransport(
  address: string,
  options: { backend?: 'auto' | HidDriver } & HostRoots = {},
): HidTransport {
  const parsed = parseAddress(address);
  switch (parsed.scheme) {
    case 'hid': {
      const { vendorId, productId } = parsed;
      return new LinuxHid({ backend: 'auto', ...options, address, vendorId, productId });
    }
    case 'bench':
      return new BenchHid({ address, path: parsed.path });
    default:
      throw wrongKind(address, 'a HID device', 'hid:04d8:00dd or bench:<socket path>');
  }
}

export interface OpenUsbOptions extends HostRoots {
  /** Only the device with this serial string. */
  serial?: string;
  clock?: Clock;
  /** Time limit of one transfer; default 1600. */
  timeoutMs?: number;
}

/**
 * Control transfers to the USB device an address names; nothing is opened yet.
 *
 * @throws TransportError `address_invalid`
 */
export function openUsbControl(address: string, options: OpenUsbOptions = {}): UsbControl {
  const parsed = parseAddress(address);
  const given = { clock: systemClock, timeoutMs: CONTROL_TIMEOUT_MS, ...options, address };
  switch (parsed.scheme) {
    case 'usb':
      return new LinuxUsb({ ...given, vendorId: parsed.vendorId, productId: parsed.productId });
    case 'bench':
      return new BenchUsb({ ...given, path: parsed.path });
    default:
      throw wrongKind(address, 'a USB device', 'usb:1ffb:00c9 or bench:<socket path>');
  }
}

function wrongKind(address: string, wanted: string, forms: string): TransportError {
  const message = `device address "${address}" does not lead to ${wanted}; write ${forms}`;
  return new TransportError('address_invalid', address, message);
}
