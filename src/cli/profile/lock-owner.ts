import { lockAddress } from '../../lib/lock/lock-key.ts';
import { listenerPid } from '../../lib/lock/lock-listener.ts';

/**
 * The process that holds a lock, as the kernel knows it: also one that hangs and does not say its name. Undefined when
 * nobody holds it, or a program of another account. Linux only.
 */
export const lockOwner = (key: string): number | undefined => listenerPid(lockAddress(key));
