import { readFileSync, realpathSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseAddress } from './address.ts';
import { findUsb, type HostRoots } from './sysfs/find-usb.ts';

/** A device in sysfs that was attached by USB/IP. */
const ON_VHCI = /\/vhci_hcd(\.\d+)?\//;

/**
 * Whether an address leads to a twin: a `bench:` socket, a serial path that resolves below
 * /dev/pts/, a USB device on `vhci_hcd`, or an I2C bus of `i2c-stub` or of such a USB device. What does not exist is no
 * bench.
 *
 * @throws TransportError `address_invalid`
 */
export function isBench(address: string, roots: HostRoots = {}): boolean {
  const parsed = parseAddress(address);
  switch (parsed.scheme) {
    case 'bench':
      return true;
    case 'serial':
      return read(() => realpathSync(parsed.path)).startsWith('/dev/pts/');
    case 'i2c': {
      const bus = join(roots.sys ?? '/sys', 'class/i2c-dev', basename(parsed.path));
      const name = read(() => readFileSync(join(bus, 'name'), 'utf8'));
      return /stub/i.test(name) || ON_VHCI.test(read(() => realpathSync(bus)));
    }
    default:
      // One of several is enough: which of them is opened may change with a plug.
      return findUsb(parsed.vendorId, parsed.productId, roots).some(({ directory }) =>
        ON_VHCI.test(directory),
      );
  }
}

function read(source: () => string): string {
  try {
    return source();
  } catch {
    return '';
  }
}
