import { closeSync, constants, openSync } from 'node:fs';
import { type CFunction, loadCFunction } from '../lib/c-library.ts';

/** LOCK_EX | LOCK_NB of <sys/file.h>. */
const EXCLUSIVE_AT_ONCE = 2 | 4;

/** A lock on a device node; the kernel releases it when this process ends. */
export interface NodeLock {
  release(): void;
}

/**
 * Locks a device node by flock(2) against other programs that do, also in another network namespace, where abstract sockets do
 * not meet. Another node of the same device, as a container may have one, is another file and not excluded.
 *
 * @param path for example `/dev/hidraw0`
 * @returns `held`: another program has it; undefined where it cannot be opened or locked at all, and the one that opens it says why
 * @throws Error where koffi does not load
 */
export async function lockNode(path: string): Promise<NodeLock | 'held' | undefined> {
  loading ??= loadCFunction('int flock(int fd, int operation)');
  const flock = await loading;
  let fd: number;
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch {
    return undefined;
  }
  if (flock(fd, EXCLUSIVE_AT_ONCE) === 0) return { release: () => closeSync(fd) };
  const errno = flock.errno();
  closeSync(fd);
  return errno === 'EWOULDBLOCK' || errno === 'EAGAIN' ? 'held' : undefined;
}

let loading: Promise<CFunction> | undefined;
