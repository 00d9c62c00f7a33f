import { lockAddress } from '../../lib/lock/lock-key.ts';
import { linksOf } from '../start/port-holder.ts';
import { processIds, readProc } from '../start/proc.ts';

/** Flags of a listening socket in /proc/net/unix. */
const LISTENING = '00010000';

/**
 * The process that holds a lock, as the kernel knows it: also one that hangs and does not say its name. Undefined when
 * nobody holds it, or somebody whose files this user may not see. Linux only.
 */
export function lockOwner(key: string): number | undefined {
  const path = lockAddress(key).replaceAll('\0', '@');
  for (const row of readProc('/proc/net/unix').split('\n')) {
    const [, , , flags, , , inode, name] = row.trim().split(/\s+/);
    if (flags !== LISTENING || name !== path) continue;
    return processIds().find((pid) => linksOf(`/proc/${pid}/fd`).includes(`socket:[${inode}]`));
  }
  return undefined;
}
