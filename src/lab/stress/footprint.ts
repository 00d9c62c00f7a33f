import { readdirSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** What a process holds on to: after everything is closed it must be what it was before. */
export interface Footprint {
  /** Bytes of the heap in use after a full collection. */
  heapBytes: number;
  /** Open file descriptors; 0 where /proc does not report. */
  descriptors: number;
  /** Timers, sockets, watchers and requests that keep the event loop alive. */
  resources: number;
}

export function footprint(): Footprint {
  collectGarbage();
  return {
    heapBytes: process.memoryUsage().heapUsed,
    descriptors: openDescriptors(),
    resources: process.getActiveResourcesInfo().length,
  };
}

function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  if (typeof collect === 'function') collect();
}

function openDescriptors(): number {
  try {
    return readdirSync('/proc/self/fd').length;
  } catch {
    return 0;
  }
}
