import type { Clock } from '../../lib/clock/clock.ts';
import { type JobOptions, JobQueue } from '../../lib/queue/job-queue.ts';
import type { ByteTransport } from '../../transports/byte-transport.ts';
import { Connection, type ConnectionState } from '../connection.ts';
import { DeviceError } from '../device-error.ts';
import { queueEnd } from '../queue-end.ts';
import { record } from './durations.ts';
import { isWorthRepeating, type ModbusMaster, type ModbusSession, type UrgentRead } from './master.ts';
import type { ModbusRequest } from './request.ts';
import { type LineStatistics, noStatistics } from './statistics.ts';
import type { ReplyTiming } from './timing.ts';

export interface ExchangeOptions {
  signal: AbortSignal;
  /** Monotonic milliseconds; when nothing could be sent by then nothing is sent. */
  startBefore: number;
  /** See `ModbusSession.write`. */
  isSentAhead?: boolean;
  /** See `ModbusSession.read`. */
  urgent?: UrgentRead | undefined;
}

/** One request and its reply, never two at once. */
export interface Exchanger {
  /** The port was opened: what came before is void. */
  opened(): void;
  /** @returns the data of a read, nothing for a write */
  exchange(request: ModbusRequest, options: ExchangeOptions): Promise<Uint8Array>;
  /** See `ModbusSession`. */
  sendAhead(requests: readonly ModbusRequest[], signal: AbortSignal): Promise<void>;
  strayReplies(request: ModbusRequest): number;
  markAbandoned(request: ModbusRequest): void;
}

export interface QueuedMasterOptions {
  transport: ByteTransport;
  clock: Clock;
  timing: ReplyTiming;
  /** Most normal jobs that may wait. Default 32. */
  queueLimit?: number | undefined;
}

/**
 * The part that all masters share: one transaction at a time, in order, safe-state jobs first. A job is a sequence of
 * transactions that no other caller's can get between (a write and its read-back).
 */
export abstract class QueuedMaster implements ModbusMaster {
  readonly statistics: LineStatistics = noStatistics();
  readonly endpoint: string;
  readonly clock: Clock;
  protected abstract readonly exchanger: Exchanger;
  readonly #timing: ReplyTiming;
  readonly #connection: Connection;
  readonly #newQueue: () => JobQueue;
  #queue: JobQueue;

  constructor(options: QueuedMasterOptions) {
    const { transport, clock } = options;
    this.clock = clock;
    this.endpoint = transport.address;
    this.#timing = options.timing;
    this.#connection = new Connection({ transport, clock });
    this.#connection.onState((state) => {
      if (state === 'absent') this.statistics.losses += 1;
      if (state !== 'open') return;
      this.statistics.opens += 1;
      this.exchanger.opened();
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

  get state(): ConnectionState {
    return this.#connection.state;
  }

  get generation(): number {
    return this.#connection.generation;
  }

  /** Jobs that wait for their turn. */
  get waiting(): number {
    return this.#queue.waiting;
  }

  onState(listener: (state: ConnectionState) => void): () => void {
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

  run<T>(work: (session: ModbusSession) => Promise<T>, options: JobOptions = {}): Promise<T> {
    const askedAtMs = this.clock.monotonic();
    const isSafe = options.priority === 'safe';
    return this.#queue.run(async (signal) => {
      record(this.statistics.queueWait, this.clock.monotonic() - askedAtMs);
      try {
        // A job belongs to one opening of the port: what it learnt about the device is void behind another.
        await this.#connection.ready(signal, isSafe);
        const job = { signal, isSafe, generation: this.generation };
        return await work({
          signal,
          isAwaited: () => this.#queue.isAwaited,
          read: (request, urgent) =>
            urgent ? this.#attempt(request, job, { urgent }) : this.#read(request, job),
          write: async (request, { isSentAhead = false } = {}) => {
            await this.#attempt(request, job, { isSentAhead });
          },
          sendAhead: (...requests) => this.exchanger.sendAhead(requests, signal),
          strayReplies: (request) => this.exchanger.strayReplies(request),
          markAbandoned: (request) => this.exchanger.markAbandoned(request),
        });
      } catch (error) {
        // A silent device may be a stuck adapter: the port is opened anew, within the quiet time that is due anyway.
        if (error instanceof DeviceError && error.reason === 'no_reply') this.reopen(error);
        throw error;
      }
    }, options);
  }

  /** Closes the port and opens it again after the first back-off. */
  protected reopen(fault?: DeviceError): void {
    this.#connection.reopen(fault);
  }

  async #read(request: ModbusRequest, job: Job): Promise<Uint8Array> {
    const startBefore = this.#startBefore();
    for (let attempt = 1, last: unknown; ; attempt++) {
      try {
        return await this.#attempt(request, job, { startBefore });
      } catch (error) {
        // Why no further attempt could be made says less than why the one before it failed.
        if (last !== undefined && couldNotBegin(error)) throw last;
        if (attempt >= this.#timing.attempts || !isWorthRepeating(error) || job.signal.aborted) throw error;
        last = error;
        this.statistics.repeats += 1;
      }
    }
  }

  /** The last moment at which an attempt can still end within the total time. */
  #startBefore(): number {
    return this.clock.monotonic() + this.#timing.totalMs - this.#timing.replyTimeoutMs;
  }

  async #attempt(
    request: ModbusRequest,
    job: Job,
    options: Partial<Omit<ExchangeOptions, 'signal'>>,
  ): Promise<Uint8Array> {
    await this.#connection.ready(job.signal, job.isSafe);
    if (this.generation !== job.generation) {
      const message = `${this.endpoint} was opened anew in the middle of an exchange`;
      throw new DeviceError('device_unavailable', message, { endpoint: this.endpoint, reason: 'reopened' });
    }
    return this.exchanger.exchange(request, {
      signal: job.signal,
      startBefore: this.#startBefore(),
      ...options,
    });
  }
}

interface Job {
  signal: AbortSignal;
  /** Waits for no back-off. */
  isSafe: boolean;
  generation: number;
}

function couldNotBegin(error: unknown): boolean {
  return error instanceof DeviceError && (error.reason === 'not_quiet' || error.reason === 'reopened');
}
