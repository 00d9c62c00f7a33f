import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { driverOf, listNames, realPath } from './sysfs.ts';

/**
 * Whether the kernel is still setting up the adapter behind a node. hid_mcp2221 makes the node first and asks the chip for
 * its pins afterwards, for 16 s in Linux 6.1: until then no answer of the chip arrives, and a transfer and these
 * questions overwrite each other, which leaves the adapter useless until it is plugged in again. What it makes last is
 * its GPIO chip.
 *
 * @param path for example `/dev/i2c-1`
 */
export function isBeingSetUp(path: string, sys = '/sys'): boolean {
  const node = realPath(sys, 'class/i2c-dev', basename(path));
  if (node === null || !existsSync(join(sys, 'bus/gpio'))) return false;
  // <device of the adapter>/i2c-1/i2c-dev/i2c-1
  const device = join(node, '../../..');
  return driverOf(device) === 'mcp2221' && !listNames(device).some((name) => name.startsWith('gpiochip'));
}
