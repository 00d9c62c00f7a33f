import { type Clock, systemClock } from '../../lib/clock/clock.ts';
import { type JobOptions, JobQueue } from '../../lib/queue/job-queue.ts';
import type { ByteTransport } from '../../transports/byte-transport.ts';
import { DeviceError } from '../device-error.ts';
import { queueEnd } from '../queue-end.ts';
import { Connection, type LineState } from './connection.ts';
import { Exchanger } from './exchanger.ts';
import type { RtuRequest } from './request.ts';
import { noStatistics, type RtuStatistics } from './statistics.ts';
import { type RtuTiming, rtuTiming } from './timing.ts';
import type { RtuTrace } from './trace.ts';

export interface RtuLineOptions {
  transport: ByteTransport;
  /** Bit rate; the transport's own, when it has one, is the truth. */
  baud: number;
  clock?: Clock;
  /** Default 500. */
  replyTimeoutMs?: number;
  /** The longest the slowest device on this line takes to answer. Default 700. */
  turnaroundMs?: number;
  /** Most normal jobs that may wait. Default 32. */
  queueLimit?: number;
  trace?: RtuTrace;
}

/** What a job may do while the line is its own. */
export interface RtuSession {
  readonly signal: AbortSignal;
  /** At most two attempts and 2.0 s in total. @returns the reply's data bytes */
  read(request: RtuRequest): Promise<Uint8Array>;
  /** One attempt; resolves when the echo is identical. Whoever repeats a write reads back first. */
  write(request: RtuRequest): Promise<void>;
}

/**
 * A Modbus RTU line with one master: one transaction at a time, in order, safe-state jobs first. A job is a
 * sequence of transactions that no other caller's can get between (a write and its read-back).
 */
export class RtuLine {
  readonly statistics: RtuStatistics = noStatistics();
  readonly endpoint: string;
  readonly timing: RtuTiming;
  readonly #clock: Clock;
  readonly #connection: Connection;
  readonly #exchanger: Exchanger;
  readonly #newQueue: () => JobQueue;
  #queue: JobQueue;

  constructor(options: RtuLineOptions) {
    const { transport } = options;
    const clock = options.clock ?? systemClock;
    this.#clock = clock;
    this.endpoint = transport.address;
    this.timing = rtuTiming({ ...options, baud: transport.baud ?? options.baud });
    this.#connection = new Connection({ transport, clock });
    this.#exchanger = new Exchanger({
      transport,
      clock,
      timing: this.timing,
      statistics: this.statistics,
      trace: options.trace ?? (() => {}),
    });
    this.#connection.onState((state) => {
      if (state === 'absent') this.statistics.losses += 1;
      if (state !== 'open') return;
      this.statistics.opens += 1;
      this.#exchanger.opened();
    });
    this.#newQueue = () =>
      new JobQueue({
        clock,
        limit: options.queueLimit ?? 32,
        deadlineMs: 5000,
        describe: (end, cause) => queueEnd(end, transport.address, cause),
      });
    this.#queue = this.#newQueue();
  }

  get state(): LineState {
    return this.#connection.state;
  }

  /** Grows with every opening of the port; a device must be identified anew when it has changed. */
  get generation(): number {
    return this.#connection.generation;
  }

  onState(listener: (state: LineState) => void): () => void {
    return this.#connection.onState(listener);
  }

  /**
   * Opens the port once. From then on the line opens it again by itself, after a time-out and after it went away.
   *
   * @throws DeviceError `device_unavailable` with the transport's code as `reason`
   */
  open(): Promise<void> {
    return this.#connection.open();
  }

  /** Ends all work, waiting and running, and closes the port. The line may be opened again. */
  async close(): Promise<void> {
    this.#queue.close();
    this.#queue = this.#newQueue();
    await this.#connection.close();
  }

  /**
   * Runs `work` when the line is free.
   *
   * @throws DeviceError `device_busy`, `aborted`, `superseded`, `device_timeout`, `device_unavailable`, and whatever
   *   `work` throws. After anything but `device_busy` a write may have reached the device.
   */
  run<T>(work: (session: RtuSession) => Promise<T>, options: JobOptions = {}): Promise<T> {
    return this.#queue.run(async (signal) => {
      try {
        // A job belongs to one opening of the port: what it learnt about the device is void behind another.
        await this.#connection.ready(signal);
        const job = { signal, generation: this.generation };
        return await work({
          signal,
          read: (request) => this.#read(request, job),
          write: async (request) => {
            await this.#attempt(request, job, this.#startBefore());
          },
        });
      } catch (error) {
        // A silent device may be a stuck adapter: the port is opened anew, within the quiet time that is due anyway.
        if (error instanceof DeviceError && error.reason === 'no_reply') this.#connection.reopen();
        throw error;
      }
    }, options);
  }

  async #read(request: RtuRequest, job: Job): Promise<Uint8Array> {
    const startBefore = this.#startBefore();
    try {
      return await this.#attempt(request, job, startBefore);
    } catch (first) {
      if (!isWorthRepeating(first) || job.signal.aborted) throw first;
      this.statistics.repeats += 1;
      try {
        return await this.#attempt(request, job, startBefore);
      } catch (second) {
        throw second instanceof DeviceError && second.reason === 'not_quiet' ? first : second;
      }
    }
  }

  /** The last moment at which an attempt can still end within the total time. */
  #startBefore(): number {
    return this.#clock.monotonic() + this.timing.totalMs - this.timing.replyTimeoutMs;
  }

  async #attempt(request: RtuRequest, job: Job, startBefore: number): Promise<Uint8Array> {
    await this.#connection.ready(job.signal);
    if (this.generation !== job.generation) {
      const message = `${this.endpoint} was opened anew in the middle of an exchange`;
      throw new DeviceError('device_unavailable', message, { endpoint: this.endpoint, reason: 'reopened' });
    }
    return this.#exchanger.exchange(request, job.signal, startBefore);
  }
}

interface Job {
  signal: AbortSignal;
  generation: number;
}

/** Whether the same request could fare better: nothing, or nothing sensible, was heard of the device. */
export function isWorthRepeating(error: unknown): boolean {
  return (
    error instanceof DeviceError && (error.code === 'device_timeout' || error.code === 'corrupt_response')
  );
}
