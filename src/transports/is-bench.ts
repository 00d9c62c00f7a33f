import { readFileSync, realpathSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseAddress } from './address.ts';
import { findUsb, type HostRoots } from './sysfs/find-usb.ts';

/**
 * Whether an address leads to a twin (devices.md section 11): a `bench:` socket, a serial path that resolves below
 * /dev/pts/, a USB device that hangs on `vhci_hcd`, or the bus of `i2c-stub`. What does not exist is no bench.
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
    case 'i2c':
      return /stub/i.test(
        read(() =>
          readFileSync(join(roots.sys ?? '/sys', 'class/i2c-dev', basename(parsed.path), 'name'), 'utf8'),
        ),
      );
    default:
      // One of several is enough: which of them is opened may change with a plug.
      return findUsb(parsed.vendorId, parsed.productId, roots).some(({ directory }) =>
        /\/vhci_hcd(\.\d+)?\//.test(directory),
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
