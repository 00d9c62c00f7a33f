import process from 'node:process';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Bytes of pictures above which all of the heap is looked through; below it only what is new, in a millisecond. */
const MUCH = 8 * 1024 * 1024;

type Collect = (options?: { type: 'minor' }) => void;

/**
 * Gives back the memory of the pictures that a thread is done with, and tells how many bytes it keeps. The engine alone
 * leaves tens of megabytes in each thread until it sees a reason: it does not know of the other threads.
 */
export function collector(): () => number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as Collect;
  return () => {
    collect(process.memoryUsage().arrayBuffers > MUCH ? undefined : { type: 'minor' });
    // What was freed is reckoned up by a later collection: the next one, and with Node 24, which sweeps beside it, one after that.
    let before = process.memoryUsage().external;
    for (let unchanged = 0; before > MUCH && unchanged < 2; ) {
      collect();
      const after = process.memoryUsage().external;
      unchanged = after === before ? unchanged + 1 : 0;
      before = after;
    }
    const { heapTotal, external } = process.memoryUsage();
    return heapTotal + external;
  };
}
