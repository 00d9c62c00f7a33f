import { messageOf } from '../../lib/errors/coded-error.ts';
import { TransportError } from '../transport-error.ts';
import { type Ioctl, IoctlError, loadIoctl, TIOCGRS485, TIOCSRS485 } from './ioctl.ts';

/** How a UART switches the driver of an RS-485 line (DE) by its RTS output. */
export interface Rs485 {
  /** Level of RTS while sending. */
  active: 'high' | 'low';
  /** From switching the driver on to the first bit, ms, 0..100. */
  delayBeforeMs: number;
  /** From the last bit to switching it off, ms, 0..100. */
  delayAfterMs: number;
}

/** struct serial_rs485 of <linux/serial.h>: flags, two delays in ms, and padding. */
const STRUCT_BYTES = 32;
const ENABLED = 1 << 0;
const RTS_ON_SEND = 1 << 1;
const RTS_AFTER_SEND = 1 << 2;
const CHECKED = ENABLED | RTS_ON_SEND | RTS_AFTER_SEND;

/**
 * Sets the RS-485 mode of the kernel's driver of an open port, and reads it back: a driver may change what it cannot do
 * without an error.
 *
 * @throws TransportError `port_failed` where the port has no such mode or did not take it
 */
export async function setRs485(
  port: { address: string; path: string; fd: number },
  rs485: Rs485,
  load: () => Promise<Ioctl> = loadIoctl,
): Promise<void> {
  const wanted = structOf(rs485);
  const taken = Buffer.alloc(STRUCT_BYTES);
  try {
    const ioctl = await load();
    // The kernel writes its answer into the argument of the first call as well.
    ioctl(port.fd, TIOCSRS485, Buffer.from(wanted));
    ioctl(port.fd, TIOCGRS485, taken);
  } catch (cause) {
    throw refused(port, whyNot(cause), cause);
  }
  const differing = differences(wanted, taken);
  if (differing !== '') throw refused(port, `its driver did not take it (${differing})`);
}

function structOf({ active, delayBeforeMs, delayAfterMs }: Rs485): Buffer {
  const bytes = Buffer.alloc(STRUCT_BYTES);
  bytes.writeUInt32LE(ENABLED | (active === 'high' ? RTS_ON_SEND : RTS_AFTER_SEND), 0);
  bytes.writeUInt32LE(delayBeforeMs, 4);
  bytes.writeUInt32LE(delayAfterMs, 8);
  return bytes;
}

function differences(wanted: Buffer, taken: Buffer): string {
  const parts = [
    { name: 'mode', at: 0, mask: CHECKED },
    { name: 'delay before, ms', at: 4, mask: ~0 },
    { name: 'delay after, ms', at: 8, mask: ~0 },
  ].flatMap(({ name, at, mask }) => {
    const [asked, got] = [wanted, taken].map((bytes) => bytes.readUInt32LE(at) & mask);
    return asked === got ? [] : [`${name}: wanted ${asked}, reads ${got}`];
  });
  return parts.join('; ');
}

function whyNot(cause: unknown): string {
  if (!(cause instanceof IoctlError)) return messageOf(cause);
  const known: Record<string, string> = {
    ENOTTY: 'its driver has no such mode (ENOTTY)',
    EINVAL: 'its driver refuses these settings (EINVAL)',
    EPERM: 'this user may not set it (EPERM)',
  };
  return known[cause.errno] ?? `the kernel refuses it (${cause.errno})`;
}

function refused(
  { address, path }: { address: string; path: string },
  why: string,
  cause?: unknown,
): TransportError {
  const message = `cannot set the RS-485 mode of ${path}: ${why}; remove rs485 for an adapter that switches its driver by itself, or use a UART whose RTS is wired to DE`;
  return new TransportError('port_failed', address, message, { cause });
}
