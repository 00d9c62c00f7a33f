import { guarded } from '../package-callback.ts';
import { readAtOnce } from './at-once.ts';

/** What is used here of an open port of serialport's Linux binding. */
export interface LinuxPort {
  fd: number | null;
  readonly isOpen: boolean;
  readonly poller: { once(event: 'readable', listener: (fault: PollerFault | null) => void): unknown };
}

interface PollerFault extends Error {
  canceled?: boolean;
}

const BUFFER_BYTES = 4096;

/** The open port of serialport's binding where it is the Linux one; undefined elsewhere. */
export function linuxPortOf(port: unknown): LinuxPort | undefined {
  return typeof port === 'object' && port !== null && 'fd' in port && 'poller' in port
    ? (port as LinuxPort)
    : undefined;
}

/**
 * Receives from an open port, in the place of serialport's stream, until the port is closed.
 *
 * On Linux a pulled plug (a hang-up) makes every read return 0 bytes at once. serialport 13 takes that for "nothing yet"
 * and reads again, for ever and at full speed; it never says that the port is gone. In non-blocking raw mode 0 bytes
 * mean nothing else: here they are the end.
 *
 * Reads are made in this thread, after the poller has said that there is something: a read that cannot block needs no
 * thread of its own, whose two hand-overs would cost more than the read.
 *
 * @param onEnd called once, when the port went away
 */
export function receiveFrom(
  port: LinuxPort,
  onBytes: (bytes: Uint8Array) => void,
  onEnd: (cause: Error) => void,
): void {
  const buffer = Buffer.allocUnsafe(BUFFER_BYTES);
  const receive = (fault: PollerFault | null): Uint8Array | undefined => {
    if (fault) throw fault;
    const count = port.fd === null ? undefined : readAtOnce(port.fd, buffer);
    if (count === 0) throw new Error('hung up (the plug was pulled, or the other side is gone)');
    return count === undefined ? undefined : Uint8Array.from(buffer.subarray(0, count));
  };
  const ready = (fault: PollerFault | null): void => {
    if (fault?.canceled) return;
    let bytes: Uint8Array | undefined;
    try {
      bytes = receive(fault);
    } catch (cause) {
      onEnd(cause as Error);
      return;
    }
    if (bytes) onBytes(bytes);
    wait();
  };
  // The poller throws when the kernel does not let it wait (for example EBADF, EPERM): in its own callback that is not caught.
  const wait = guarded(
    () => {
      if (port.isOpen) port.poller.once('readable', ready);
    },
    (cause) => onEnd(cause as Error),
  );
  wait();
}
