import { readSync, writeSync } from 'node:fs';

/**
 * Reads from a non-blocking descriptor.
 *
 * @returns bytes read, 0 at a hang-up; undefined when there is nothing to read now
 */
export function readAtOnce(
  fd: number,
  buffer: Buffer,
  offset = 0,
  length = buffer.length,
): number | undefined {
  return unlessItWouldBlock(() => readSync(fd, buffer, offset, length, null));
}

/** Writes to a non-blocking descriptor. @returns bytes that the kernel took, maybe none */
export function writeAtOnce(fd: number, bytes: Uint8Array): number {
  return unlessItWouldBlock(() => writeSync(fd, bytes)) ?? 0;
}

function unlessItWouldBlock<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (fault) {
    const { code } = fault as NodeJS.ErrnoException;
    if (code === 'EAGAIN' || code === 'EINTR') return undefined;
    throw fault;
  }
}
