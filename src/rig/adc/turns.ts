import { DeviceError } from '../../devices/device-error.ts';
import type { Exchange } from '../../devices/exchange.ts';
import type { Clock } from '../../lib/clock/clock.ts';
import { CoalescedCall } from '../../lib/queue/coalesced-call.ts';

/** Most jobs that may wait for one device. */
const WAITING_JOBS = 16;

export interface JobLimits {
  /** Ends the job: its caller went away. */
  signal: AbortSignal;
  /** Milliseconds from the call to the end of the job, waiting included. */
  limitMs: number;
}

/** One job at a device, made of turns with room for others in between. */
export interface Job {
  /** Runs `work` when the device is free, behind all callers that wait for it now. */
  turn<T>(work: (exchange: Exchange) => Promise<T>): Promise<T>;
  /** Leaves the device to others for a while. */
  pause(ms: number): Promise<void>;
}

/** Single turns, and those of a series, which come again and again. */
type Lane = 'single' | 'series';

interface Waiter {
  lane: Lane;
  /** Number of its job. */
  order: number;
  go: () => void;
  fail: (error: unknown) => void;
}

/**
 * Who uses a device and in which order, and at most 16 jobs that wait. Single turns and those of a series alternate, so
 * that a series gives way between its samples and still gets on. Within a lane the older job goes first: of several
 * series one after the other comes to its end, where turn by turn all of them would end too late.
 */
export class DeviceTurns {
  readonly #clock: Clock;
  readonly #device: string;
  readonly #endpoint: () => string;
  readonly #shared = new Map<string, CoalescedCall<unknown>>();
  #waiting: Waiter[] = [];
  #isBusy = false;
  /** Series that do not pause now; the oldest one has the turns of its lane, also in the moment before it asks. */
  readonly #series = new Set<number>();
  #jobs = 0;
  #order = 0;
  #isClosed = false;

  constructor(options: { clock: Clock; device: string; endpoint: () => string }) {
    this.#clock = options.clock;
    this.#device = options.device;
    this.#endpoint = options.endpoint;
  }

  /**
   * A series of turns.
   *
   * @throws DeviceError `device_busy` when 16 jobs wait, or when the first turn did not come in time;
   *   `device_timeout` when a later one did not; the signal's reason
   */
  job<T>(limits: JobLimits, work: (job: Job) => Promise<T>): Promise<T> {
    return this.#job('series', limits, work);
  }

  async #job<T>(lane: Lane, { signal, limitMs }: JobLimits, work: (job: Job) => Promise<T>): Promise<T> {
    if (this.#isClosed) throw this.#closed();
    if (this.#jobs > WAITING_JOBS) throw this.#fail('device_busy', `${WAITING_JOBS} jobs wait already`);
    const endAt = this.#clock.monotonic() + limitMs;
    const remainingMs = () => Math.max(0, endAt - this.#clock.monotonic());
    let turns = 0;
    const order = this.#order++;
    this.#jobs += 1;
    if (lane === 'series') this.#series.add(order);
    try {
      return await work({
        turn: async (task) => {
          await this.#turn({ lane, order }, signal, remainingMs(), () => this.#late(turns, limitMs));
          turns += 1;
          try {
            return await task({ signal, deadlineMs: remainingMs() });
          } finally {
            this.#isBusy = false;
            this.#next();
          }
        },
        pause: async (ms) => {
          this.#leave(order);
          await this.#clock.sleep(ms, signal);
          this.#series.add(order);
        },
      });
    } finally {
      this.#jobs -= 1;
      this.#leave(order);
    }
  }

  /**
   * A job of one turn that several callers may share: a request for the same before it has begun gets its result,
   * which is then newer than each of their requests. It is cancelled when none of them is left.
   */
  shared<T>(
    key: string,
    { signal, limitMs }: JobLimits,
    work: (exchange: Exchange) => Promise<T>,
  ): Promise<T> {
    // A key stands for one kind of work.
    const waiting = this.#shared.get(key) as CoalescedCall<T> | undefined;
    if (waiting && !waiting.isCancelled) return waiting.join(signal);
    const begun = () => {
      if (this.#shared.get(key) === made) this.#shared.delete(key);
    };
    const made: CoalescedCall<T> = new CoalescedCall((own) =>
      this.#job('single', { signal: own, limitMs }, (job) =>
        job.turn((exchange) => {
          begun();
          return work(exchange);
        }),
      ).finally(begun),
    );
    this.#shared.set(key, made);
    return made.join(signal);
  }

  /** Refuses who waits and who comes. What runs is ended by the driver's own end. */
  close(): void {
    this.#isClosed = true;
    for (const waiter of this.#waiting.splice(0)) waiter.fail(this.#closed());
  }

  #turn(
    place: { lane: Lane; order: number },
    signal: AbortSignal,
    withinMs: number,
    late: () => DeviceError,
  ): Promise<void> {
    if (signal.aborted) return Promise.reject(signal.reason);
    if (this.#isClosed) return Promise.reject(this.#closed());
    if (withinMs <= 0) return Promise.reject(late());
    if (!this.#isBusy && this.#mayGo(place)) {
      this.#isBusy = true;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const leave = () => {
        cancel();
        signal.removeEventListener('abort', onAbort);
        this.#waiting = this.#waiting.filter((other) => other !== waiter);
      };
      const waiter: Waiter = {
        ...place,
        go: () => {
          leave();
          resolve();
        },
        fail: (error) => {
          leave();
          reject(error);
        },
      };
      const onAbort = () => waiter.fail(signal.reason);
      const cancel = this.#clock.after(withinMs, () => waiter.fail(late()));
      signal.addEventListener('abort', onAbort, { once: true });
      this.#waiting.push(waiter);
    });
  }

  /**
   * Hands a free device on: to the series that has asked for its next turn, else to the oldest single one. A series
   * asks again only after its last turn, so the two alternate.
   */
  #next(): void {
    if (this.#isBusy) return;
    const ready = this.#waiting.filter((waiter) => this.#mayGo(waiter)).sort((a, b) => a.order - b.order);
    const next = ready.find(({ lane }) => lane === 'series') ?? ready[0];
    if (!next) return;
    this.#isBusy = true;
    next.go();
  }

  #mayGo({ lane, order }: { lane: Lane; order: number }): boolean {
    return lane === 'single' || Math.min(...this.#series) === order;
  }

  /** A series is over or pauses. */
  #leave(order: number): void {
    if (this.#series.delete(order)) this.#next();
  }

  #late(turns: number, limitMs: number): DeviceError {
    const limit = `${limitMs / 1000} s`;
    return turns === 0
      ? this.#fail('device_busy', `the turn did not come within ${limit}`)
      : this.#fail('device_timeout', `${turns} turns were not enough, and the limit of ${limit} is over`);
  }

  #closed(): DeviceError {
    return this.#fail('device_unavailable', 'the service is shutting down');
  }

  #fail(code: 'device_busy' | 'device_timeout' | 'device_unavailable', why: string): DeviceError {
    const endpoint = this.#endpoint();
    const remedy = code === 'device_unavailable' ? '' : '; ask again later';
    return new DeviceError(code, `${this.#device} on ${endpoint}: ${why}${remedy}`, {
      device: this.#device,
      endpoint,
      reason: code === 'device_unavailable' ? 'closed' : 'turns',
    });
  }
}
