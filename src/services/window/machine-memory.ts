import { totalmem } from 'node:os';
import process from 'node:process';

/** What the service takes at most, bytes, and of a small machine its share: there the rig has other services too. */
const MOST_BYTES = 400 * 1024 * 1024;
const SHARE = 0.25;

/** Memory that the service may take on a machine with so many bytes. */
export function memoryFor(machineBytes: number): number {
  return Math.min(MOST_BYTES, Math.floor(machineBytes * SHARE));
}

/** Bytes of the machine, or of the control group that this process lives in when that has less. */
export function memoryOfThisMachine(): number {
  // Without a limit it is 0, or more than any machine has.
  const limit = process.constrainedMemory();
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}
