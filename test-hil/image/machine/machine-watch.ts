import type { Clock } from '../../../src/lib/clock/clock.ts';

const LOOK_MS = 250;
const POLL_MS = 1000;
/** Of the host: one that does not bring a machine a second further meanwhile is not merely busy. */
const STANDSTILL_MS = 15 * 60_000;

/** What is waited for does not come any more: the machine has ended, or stands still, or its own time is over. */
export class MachineHangsError extends Error {
  /** @param lastWords of its console */
  constructor(what: string, why: string, lastWords: string) {
    super(`${what}: ${why}; its console ends with\n${lastWords}`);
  }
}

export interface WatchedMachine {
  /** Seconds of its own time from any origin, never less than before; undefined while they cannot be read. */
  readSeconds(): Promise<number | undefined>;
  /** Why it will do nothing more, if so. */
  ended(): string | undefined;
  lastWords(): string;
}

/**
 * Limits in the machine's own time: on a busy host the machine is slow and nothing is late, but a machine that hangs is found out,
 * also one in which nothing is executed any more.
 */
export class MachineWatch {
  readonly #machine: WatchedMachine;
  readonly #clock: Clock;

  constructor(machine: WatchedMachine, clock: Clock) {
    this.#machine = machine;
    this.#clock = clock;
  }

  /**
   * @param limitS of the machine's time
   * @param work with or in the machine; its signal aborts when the limit is over, and after its end
   * @throws MachineHangsError when the work does not end in time
   */
  async within<Made>(
    what: string,
    limitS: number,
    work: (signal: AbortSignal) => Promise<Made>,
  ): Promise<Made> {
    const over = new AbortController();
    const working = work(over.signal);
    working.catch(() => {});
    try {
      return await Promise.race([working, this.#hang(what, limitS, over.signal)]);
    } finally {
      over.abort();
    }
  }

  /** Looks again and again until what is wanted is there. @throws MachineHangsError */
  until(what: string, limitS: number, look: () => Promise<boolean>): Promise<void> {
    return this.within(what, limitS, async (signal) => {
      while (!(await look())) await this.#clock.sleep(LOOK_MS, signal);
    });
  }

  /** Rejects when the machine hangs; watches until `signal` aborts. */
  async #hang(what: string, limitS: number, signal: AbortSignal): Promise<never> {
    let startS: number | undefined;
    let lastS = 0;
    let movedAt = this.#clock.monotonic();
    let isReading = false;
    const read = async () => {
      isReading = true;
      const seconds = await this.#machine.readSeconds().finally(() => {
        isReading = false;
      });
      if (seconds === undefined || seconds === lastS) return;
      startS ??= seconds;
      lastS = seconds;
      movedAt = this.#clock.monotonic();
    };
    for (;;) {
      // A QEMU that stands still does not answer either.
      if (!isReading) void read().catch(() => {});
      await this.#clock.sleep(POLL_MS, signal);
      const fail = (why: string) => new MachineHangsError(what, why, this.#machine.lastWords());
      const ended = this.#machine.ended();
      if (ended !== undefined) throw fail(ended);
      if (startS !== undefined && lastS - startS > limitS)
        throw fail(`not within ${limitS} s of the machine's time`);
      if (this.#clock.monotonic() - movedAt > STANDSTILL_MS)
        throw fail(`the machine stands still: no second of its time passed in ${STANDSTILL_MS / 60_000} min`);
    }
  }
}
