import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Clock, systemClock } from '../../lib/clock/clock.ts';

/** What a USB device calls itself; null for a string that it does not have, or that the kernel does not give now. */
export interface UsbStrings {
  manufacturer: string | null;
  product: string | null;
  serial: string | null;
}

/** Longer than any healthy read by far. */
const LIMIT_MS = 500;

/**
 * The strings of a device in sysfs. While a driver probes the device the kernel makes a reader of them wait, for 24 s
 * with `hid_mcp2221`: so they are never read on the thread that everything else runs on, and not waited for for long.
 *
 * @param directory folder of the device
 */
export async function usbStrings(
  directory: string,
  { clock = systemClock, limitMs = LIMIT_MS }: { clock?: Clock; limitMs?: number } = {},
): Promise<UsbStrings> {
  const read = async (name: string): Promise<string | null> => {
    try {
      return (await readFile(join(directory, name), 'utf8')).trim();
    } catch {
      return null;
    }
  };
  let cancel = () => {};
  const tooLong = new Promise<null>((resolve) => {
    cancel = clock.after(limitMs, () => resolve(null));
  });
  const [manufacturer, product, serial] = await Promise.all(
    ['manufacturer', 'product', 'serial'].map((name) => Promise.race([read(name), tooLong])),
  );
  cancel();
  return { manufacturer: manufacturer ?? null, product: product ?? null, serial: serial ?? null };
}
