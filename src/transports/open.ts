import { type Clock, systemClock } from '../lib/clock/clock.ts';
import { parseAddress } from './address.ts';
import { SocketTransport } from './bench/socket-transport.ts';
import type { ByteTransport } from './byte-transport.ts';
import { BenchI2cBus } from './i2c/bench-i2c-bus.ts';
import type { I2cBus } from './i2c/i2c-bus.ts';
import { LinuxI2cBus } from './i2c/linux-i2c-bus.ts';
import { SerialTransport } from './serial/serial-transport.ts';
import { TransportError } from './transport-error.ts';

/**
 * The byte transport an address names; nothing is opened yet. A `?baud=` in the address wins over `baud`.
 *
 * @throws TransportError `address_invalid`
 */
export function openByteTransport(address: string, options: { baud: number }): ByteTransport {
  const parsed = parseAddress(address);
  switch (parsed.scheme) {
    case 'serial':
      return new SerialTransport({ address, path: parsed.path, baud: parsed.baud ?? options.baud });
    case 'bench':
      return new SocketTransport({ address, path: parsed.path });
    default:
      throw wrongKind(address, 'a serial line', 'a path, serial:<path> or bench:<socket path>');
  }
}

/**
 * The I2C bus an address names; it is opened by its first transfer. The `#<device>` part is the caller's.
 *
 * @throws TransportError `address_invalid`
 */
export function openI2cBus(address: string, options: { clock?: Clock } = {}): I2cBus {
  const parsed = parseAddress(address);
  switch (parsed.scheme) {
    case 'i2c':
      return new LinuxI2cBus({ address, path: parsed.path });
    case 'bench':
      return new BenchI2cBus({ address, path: parsed.path, clock: options.clock ?? systemClock });
    default:
      throw wrongKind(address, 'an I2C bus', 'i2c:/dev/i2c-<n> or bench:<socket path>');
  }
}

function wrongKind(address: string, wanted: string, forms: string): TransportError {
  const message = `device address "${address}" does not lead to ${wanted}; write ${forms}`;
  return new TransportError('address_invalid', address, message);
}
