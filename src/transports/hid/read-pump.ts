import { setImmediate as nextTurn } from 'node:timers/promises';
import type { HIDAsync } from 'node-hid';
import { exposingDefects, guarded } from '../package-callback.ts';

/**
 * Starts to read from an open handle. Resolves one turn later, for node-hid starts its read thread in the turn after
 * the listener was added: a handle that is closed in between makes `resume` throw "device has been closed" in
 * `process.nextTick`, where no promise catches it (nodehid.js 3.4.0, HIDAsync.cc `readStart`).
 *
 * @param onReport called with each IN report
 * @param onFault the handle cannot be read (any more); called any number of times, also before this resolves
 */
export async function startReading(
  hid: HIDAsync,
  onReport: (report: Uint8Array) => void,
  onFault: (cause: unknown) => void,
): Promise<void> {
  // Both are looked up on the handle when its listeners change, and then called by process.nextTick.
  hid.resume = guarded(hid.resume.bind(hid), onFault);
  hid.pause = guarded(hid.pause.bind(hid), onFault);
  hid.on('error', exposingDefects(onFault));
  hid.on('data', exposingDefects(onReport));
  await nextTurn();
}
