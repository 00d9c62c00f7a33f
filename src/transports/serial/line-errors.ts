import { type Ioctl, loadIoctl } from './ioctl.ts';

/** What the driver of a port has counted since it was loaded. */
export interface LineErrors {
  frame: number;
  parity: number;
  overrun: number;
  break: number;
}

const TIOCGICOUNT = 0x545d;
/** struct serial_icounter_struct of <linux/serial.h>: eleven counters and nine reserved words. */
const STRUCT_BYTES = 80;

/** Undefined for a driver that does not count: ch341 and pseudo-terminals; 0 would be a statement. */
export async function lineErrors(
  fd: number,
  load: () => Promise<Ioctl> = loadIoctl,
): Promise<LineErrors | undefined> {
  const counters = Buffer.alloc(STRUCT_BYTES);
  try {
    const ioctl = await load();
    ioctl(fd, TIOCGICOUNT, counters);
  } catch {
    return undefined;
  }
  const at = (index: number) => counters.readInt32LE(4 * index);
  return { frame: at(6), overrun: at(7), parity: at(8), break: at(9) };
}
