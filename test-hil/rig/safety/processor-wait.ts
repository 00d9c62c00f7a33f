import { systemClock } from '../../../src/lib/clock/clock.ts';
import { readProc } from '../../../src/lib/proc.ts';

/** Of the time, above which a process was held up by the machine: at a third it misses seconds in a minute. */
const HELD_UP_SHARE = 0.2;

interface Waited {
  name: string;
  /** Part of the time for which it was ready to run and had no processor, 0..1. */
  share: number;
}

/**
 * How long processes were ready to run and waited for a processor, as the kernel counts it (`/proc/<pid>/schedstat`). A rig
 * that is held up for long makes itself safe in the middle of a run, rightly, and the case has not tested what it was to test.
 */
export class ProcessorWait {
  readonly #sinceMs = systemClock.monotonic();
  readonly #processes: readonly { pid: number; name: string; beforeMs: number }[];

  /** Counts from now on. */
  constructor(processes: readonly { pid: number; name: string }[]) {
    this.#processes = processes.map((one) => ({ ...one, beforeMs: waitedMs(one.pid) ?? 0 }));
  }

  /** The process that waited most, when that was long; undefined too where the kernel does not count. */
  heldUp(): Waited | undefined {
    const tookMs = systemClock.monotonic() - this.#sinceMs;
    const shares = this.#processes.flatMap(({ pid, name, beforeMs }): Waited[] => {
      const now = waitedMs(pid);
      return now === undefined ? [] : [{ name, share: (now - beforeMs) / tookMs }];
    });
    const [worst] = shares.sort((one, other) => other.share - one.share);
    return worst && worst.share > HELD_UP_SHARE ? worst : undefined;
  }
}

/** Of its main thread. Undefined when it has ended. */
function waitedMs(pid: number): number | undefined {
  const [, waitedNs] = readProc(`/proc/${pid}/schedstat`).split(' ');
  return waitedNs === undefined ? undefined : Number(waitedNs) / 1e6;
}
