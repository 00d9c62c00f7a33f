import { readFileSync, realpathSync } from 'node:fs';
import { basename } from 'node:path';
import { parseAddress } from './address.ts';

/**
 * Whether an address leads to a twin (devices.md section 11): a `bench:` socket, a serial path that resolves below
 * /dev/pts/, or the bus of `i2c-stub`. A path that does not exist leads nowhere and is no bench.
 *
 * @throws TransportError `address_invalid`
 */
export function isBench(address: string): boolean {
  const parsed = parseAddress(address);
  switch (parsed.scheme) {
    case 'bench':
      return true;
    case 'serial':
      return read(() => realpathSync(parsed.path)).startsWith('/dev/pts/');
    case 'i2c':
      return /stub/i.test(
        read(() => readFileSync(`/sys/class/i2c-dev/${basename(parsed.path)}/name`, 'utf8')),
      );
    default:
      return false;
  }
}

function read(source: () => string): string {
  try {
    return source();
  } catch {
    return '';
  }
}
