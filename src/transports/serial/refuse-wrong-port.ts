import { type Stats, statSync } from 'node:fs';
import { basename } from 'node:path';
import { realPath } from '../sysfs/sysfs.ts';
import { usbParentsOfTty } from '../sysfs/usb-parent.ts';
import { TransportError } from '../transport-error.ts';

/**
 * Refuses, before anything is opened, a path that is not a device at all, and the tty of the USB ADC chip (DEV-039): opening
 * that one would disturb the chip, and it shifts the numbers of the other ports. A path that leads nowhere is left to the
 * opening itself.
 *
 * @throws TransportError `port_failed`, `port_forbidden`
 */
export function refuseWrongPort(address: string, path: string, sys: string): void {
  const real = realPath(path);
  const stats = real === null ? undefined : statOf(real);
  if (real === null || !stats) return;
  if (!stats.isCharacterDevice()) {
    const message = `${path} is of the wrong kind: a ${kindOf(stats)}, no serial port; correct the address`;
    throw new TransportError('port_failed', address, message);
  }
  const parents = usbParentsOfTty(basename(real), stats.rdev, sys);
  if (!parents.some(({ vid, pid }) => vid === '04d8' && pid === '00dd')) return;
  const message = `${path} (${real}) is the tty of the USB ADC chip 04d8:00dd and is never opened; write /dev/serial/by-id/... of the wanted port`;
  throw new TransportError('port_forbidden', address, message);
}

/**
 * Refuses `pacing=none` on a port with a line behind it: there a reply that arrives too soon to be one must be found out.
 * A path that leads nowhere is left to the opening itself.
 *
 * @throws TransportError `port_forbidden`
 */
export function refuseRealPort(address: string, path: string): void {
  const real = realPath(path);
  if (real === null || real.startsWith('/dev/pts/')) return;
  const message = `${path} (${real}) is not a pseudo-terminal, so pacing=none is refused; remove it from the address`;
  throw new TransportError('port_forbidden', address, message);
}

function statOf(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}

function kindOf(stats: Stats): string {
  if (stats.isDirectory()) return 'folder';
  if (stats.isSocket()) return 'socket';
  return stats.isFile() ? 'file' : 'block device or pipe';
}
