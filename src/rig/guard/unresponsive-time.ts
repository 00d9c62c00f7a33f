import { readFileSync } from 'node:fs';
import type { Clock } from '../../lib/clock/clock.ts';
import { type ProcessId, statFields } from '../../lib/proc.ts';
import type { Milliseconds } from '../../lib/quantity.ts';

/** Most that one look counts, milliseconds: what holds up the watcher too is not the doing of the watched. */
const LONGEST_LOOK_MS = 4;

interface Scheduling {
  /** It has a processor, or waits for one. */
  isRunnable: boolean;
  /** Of its main thread since its start; undefined where the kernel does not count. */
  cpuMs: Milliseconds | undefined;
}

/**
 * How long a process could have done something and did not, since it is watched: it stood still, or it had a processor and
 * was at something else. The time in which it only waited for a processor is not its own, so that a machine under load is
 * not taken for a process that hangs.
 */
export class UnresponsiveTime {
  readonly #mark: ProcessId;
  readonly #clock: Clock;
  #cpuMs: Milliseconds | undefined;
  #lookedAt: number;
  #stillMs = 0;
  #busyMs = 0;

  constructor(mark: ProcessId, clock: Clock) {
    this.#mark = mark;
    this.#clock = clock;
    this.#cpuMs = schedulingOf(mark)?.cpuMs;
    this.#lookedAt = clock.monotonic();
  }

  /** For which it stood still: stopped, on a disk, in a wait. As of the last look, like all here. */
  get stillMs(): Milliseconds {
    return this.#stillMs;
  }

  /** For which it stood still or had a processor. */
  get ms(): Milliseconds {
    return this.#stillMs + this.#busyMs;
  }

  /** To be called every few milliseconds. */
  look(): void {
    const now = this.#clock.monotonic();
    const passedMs = Math.min(now - this.#lookedAt, LONGEST_LOOK_MS);
    this.#lookedAt = now;
    const scheduling = schedulingOf(this.#mark);
    const cpuMs = scheduling?.cpuMs;
    const usedMs = cpuMs === undefined || this.#cpuMs === undefined ? undefined : cpuMs - this.#cpuMs;
    this.#cpuMs = cpuMs;
    // Without a count it is unknown what it waits for: all of it is its own.
    const isStill = usedMs === undefined || !scheduling?.isRunnable;
    this.#busyMs += usedMs ?? 0;
    if (isStill) this.#stillMs += Math.max(passedMs - (usedMs ?? 0), 0);
  }
}

/** proc(5); undefined when it cannot be read. */
function schedulingOf({ pid }: ProcessId): Scheduling | undefined {
  const folder = `/proc/${pid}/task/${pid}`;
  const [state] = statFields(`${folder}/stat`);
  return state ? { isRunnable: state === 'R', cpuMs: cpuMsIn(folder) } : undefined;
}

function cpuMsIn(folder: string): number | undefined {
  try {
    const nanoseconds = Number(readFileSync(`${folder}/schedstat`, 'utf8').split(' ')[0]);
    // A process that has run has used some; a kernel that does not count says 0.
    return nanoseconds > 0 ? nanoseconds / 1e6 : undefined;
  } catch {
    return undefined;
  }
}
