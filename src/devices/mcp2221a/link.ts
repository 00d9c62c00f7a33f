import type { Clock } from '../../lib/clock/clock.ts';
import { JobQueue } from '../../lib/queue/job-queue.ts';
import type { HidTransport } from '../../transports/hid/hid-transport.ts';
import { TransportError } from '../../transports/transport-error.ts';
import { Connection, type ConnectionState } from '../connection.ts';
import { DeviceError, failureOf, nameDevice } from '../device-error.ts';
import type { Exchange } from '../exchange.ts';
import { queueEnd } from '../queue-end.ts';
import type { Ask } from './configuration.ts';
import { Exchanger, type ExchangerOptions } from './exchanger.ts';
import { AnswerFault } from './protocol/answer.ts';
import type { Request } from './protocol/request.ts';
import type { HidStatistics } from './statistics.ts';
import { DEADLINE_MS, DEVICE, QUEUE_LIMIT } from './usb-adc.ts';

/** Whether an error means: the chip is there and does not answer, or owes answers. */
export const isSilence = ({ reason }: DeviceError): boolean => reason === 'no_reply' || reason === 'owed';

/** For tests only: protective rules to switch off. */
export type Rules = Pick<ExchangerOptions, 'earliestAnswerMs' | 'syncRequests'>;

/** What a job may do while the chip is its own. */
export interface Session {
  readonly signal: AbortSignal;
  /** One request and its own answer. */
  readonly ask: Ask;
  /** The same command as the last once more; see `Exchanger.repeat`. */
  readonly askAgain: Ask;
}

export interface LinkOptions {
  transport: HidTransport;
  clock: Clock;
  statistics: HidStatistics;
  rules?: Rules | undefined;
  /** The open sequence; repeated at every opening. */
  setUp: (session: Session) => Promise<void>;
}

/** One chip that is kept open, and one job at a time on it; safe-state jobs first. */
export class Link {
  /** An error that names device and endpoint. */
  readonly fail: ReturnType<typeof failureOf>;
  readonly #transport: HidTransport;
  readonly #statistics: HidStatistics;
  readonly #exchanger: Exchanger;
  readonly #connection: Connection;
  readonly #newQueue: () => JobQueue;
  #queue: JobQueue;
  #endListening: (() => void)[] = [];

  constructor(options: LinkOptions) {
    const { transport, clock, statistics } = options;
    this.#transport = transport;
    this.fail = failureOf(DEVICE, transport.address);
    this.#statistics = statistics;
    this.#exchanger = new Exchanger({ transport, clock, statistics, ...options.rules });
    this.#connection = new Connection({
      transport,
      clock,
      setUp: async (signal) => {
        const session = this.#session(signal, () => true);
        await this.twice(session, () => options.setUp(session));
      },
      listening: {
        isSilence,
        untilHeard: (signal) => this.#exchanger.untilHeard(signal),
      },
    });
    this.#connection.onState((state) => {
      if (state === 'open') statistics.opens += 1;
    });
    this.#newQueue = () =>
      new JobQueue({
        clock,
        limit: QUEUE_LIMIT,
        deadlineMs: DEADLINE_MS,
        describe: (end, cause) => queueEnd(end, transport.address, cause),
      });
    this.#queue = this.#newQueue();
  }

  get state(): ConnectionState {
    return this.#connection.state;
  }

  get lastFault(): DeviceError | undefined {
    return this.#connection.lastFault;
  }

  /** Reports thrown away so far; see `Exchanger.unexpectedReplies`. */
  get unexpectedReplies(): number {
    return this.#exchanger.unexpectedReplies;
  }

  onState(listener: (state: ConnectionState) => void): () => void {
    return this.#connection.onState(listener);
  }

  async open(): Promise<void> {
    this.#listen();
    try {
      await this.#connection.open().catch(nameDevice(DEVICE));
    } finally {
      if (this.state === 'closed') this.#stopListening();
    }
  }

  keepOpen(): void {
    this.#listen();
    this.#connection.keepOpen();
  }

  /** Ends all work, waiting and running. No timer, listener or handle is left. */
  async close(): Promise<void> {
    this.#queue.close();
    this.#queue = this.#newQueue();
    await this.#connection.close();
    this.#stopListening();
  }

  /** Runs `work` when the chip is free. @throws DeviceError, whatever `work` throws */
  run<T>(work: (session: Session) => Promise<T>, options: Exchange): Promise<T> {
    return this.#queue
      .run(async (signal) => {
        try {
          await this.#connection.ready(signal);
          // A job belongs to one opening: what it learnt about the settings is void behind another.
          const { generation } = this.#connection;
          const isCurrent = () => this.state === 'open' && this.#connection.generation === generation;
          return await this.#once(() => work(this.#session(signal, isCurrent)));
        } catch (error) {
          if (error instanceof DeviceError) this.#mend(error);
          throw error;
        }
      }, options)
      .catch(nameDevice(DEVICE));
  }

  /** Readings and settings may be repeated: after an answer that cannot be used, all of it is done once more. */
  async twice<T>({ signal }: Session, work: () => Promise<T>): Promise<T> {
    try {
      return await this.#once(work);
    } catch (first) {
      const isWorthIt =
        first instanceof DeviceError &&
        ((first.code === 'corrupt_response' && first.reason !== 'foreign') || first.code === 'device_error');
      if (!isWorthIt || signal.aborted) throw first;
      this.#statistics.repeats += 1;
      return this.#once(work);
    }
  }

  /** Errors of the codec become those of the device. */
  async #once<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (thrown) {
      if (!(thrown instanceof AnswerFault)) throw thrown;
      const { code, reason } = thrown;
      if (code === 'corrupt_response') this.#statistics.corrupt += 1;
      throw this.fail(code, thrown.message, { reason, sent: true, cause: thrown });
    }
  }

  #session(signal: AbortSignal, isCurrent: () => boolean): Session {
    const through = (send: (request: Request) => Promise<Uint8Array>) => (request: Request) => {
      if (isCurrent()) return send(request);
      const message = 'the chip went away in the middle of the work';
      return Promise.reject(this.fail('device_unavailable', message, { reason: 'port_gone' }));
    };
    return {
      signal,
      ask: through((request) => this.#exchanger.exchange(request, signal)),
      askAgain: through((request) => this.#exchanger.repeat(request, signal)),
    };
  }

  /** What a failure means for the handle: a silent chip is opened anew, one that cannot be written to is gone. */
  #mend(error: DeviceError): void {
    if (isSilence(error)) this.#connection.reopen(error);
    if (error.reason === 'write_failed')
      this.#connection.lost(error.cause instanceof TransportError ? error.cause : error);
  }

  #listen(): void {
    if (this.#endListening.length > 0) return;
    this.#endListening = [
      this.#transport.onReport((report) => this.#exchanger.received(report)),
      this.#transport.onClosed((cause) => {
        this.#statistics.losses += 1;
        this.#exchanger.lost(cause);
      }),
    ];
  }

  #stopListening(): void {
    for (const end of this.#endListening) end();
    this.#endListening = [];
  }
}
