import { type Clock, systemClock } from '../../lib/clock/clock.ts';
import type { Volts } from '../../lib/quantity.ts';
import { type JobEnd, JobQueue } from '../../lib/queue/job-queue.ts';
import type { ByteTransport } from '../../transports/byte-transport.ts';
import { hexOf } from '../../transports/hex.ts';
import type { ConnectionState } from '../connection.ts';
import { DeviceError, namedError } from '../device-error.ts';
import type { Exchange } from '../exchange.ts';
import { queueEnd } from '../queue-end.ts';
import { ModuleSession } from './module-session.ts';
import {
  isPossible,
  MAX_RAW,
  NOMINAL_MAX_RAW,
  READ_SAMPLE,
  rawOf,
  SAMPLE_BYTES,
  textAnswerOf,
  textRequest,
  UART_BAUD,
  type UartInput,
  voltsOf,
} from './protocol.ts';
import { Selection, type SelectionProof } from './selection.ts';
import type { UartStatistics } from './statistics.ts';
import { textLines } from './text-lines.ts';
import { DEVICE, type UartLine } from './uart-line.ts';

export type { Exchange } from '../exchange.ts';
export type { UartInput } from './protocol.ts';
export type { SelectionProof } from './selection.ts';
export type { UartStatistics } from './statistics.ts';

const LINE_FEED = 0x0a;

export interface UartSample {
  input: UartInput;
  /** Units of 0.01 mV, 0..1100000. */
  raw: number;
  volts: Volts;
  /** Above the nominal 10 V; above 11 V is no sample but an error. */
  overRange: boolean;
  /** When its last byte came: wall clock, milliseconds since the Unix epoch. */
  observedAt: number;
  /** Whether the module itself said of which input it is (DEV-055). */
  isProven: boolean;
}

export type UartPair = [PromiseSettledResult<UartSample>, PromiseSettledResult<UartSample>];

export interface Dfr1184Options {
  /** Bit rate, 9600 and nothing else. */
  baud?: number;
  clock?: Clock;
  /** Most normal jobs that may wait, default 16. */
  queueLimit?: number;
  /** Called how the module at hand lets its selection be proven, whenever that has been found out. */
  onSelectionProof?: (proof: SelectionProof) => void;
  /** For tests only: a proof that is not found out. */
  rules?: { selectionProof: SelectionProof };
}

/**
 * The DFR1184. Its answers carry neither checksum nor channel, so a value is believed for its
 * place in the order alone; `ModuleSession` keeps that order, and `Selection` proves which input it is of.
 *
 * What no driver of this module can see: a wrong bit inside the three bytes that leaves them at or below 11 V, and a
 * byte lost and another one gained in the same answer.
 */
export class Dfr1184 {
  readonly endpoint: string;
  readonly #session: ModuleSession;
  readonly #line: UartLine;
  readonly #selection: Selection;
  readonly #newQueue: () => JobQueue;
  #queue: JobQueue;

  /**
   * @throws DeviceError `setting_refused` for another bit rate, also one that comes with the address
   */
  constructor(transport: ByteTransport, options: Dfr1184Options = {}) {
    this.endpoint = transport.address;
    const clock = options.clock ?? systemClock;
    this.#session = new ModuleSession(transport, clock);
    this.#line = this.#session.line;
    this.#selection = new Selection({
      line: this.#line,
      clock,
      statistics: this.#session.statistics,
      decided: options.onSelectionProof ?? (() => {}),
      proof: options.rules?.selectionProof,
    });
    if (options.rules === undefined)
      this.onState((state) => {
        const isUnproven = this.#selection.proof === 'none';
        if (state === 'absent' || (state === 'open' && isUnproven)) this.#selection.forget();
      });
    for (const [baud, where] of [
      [options.baud ?? UART_BAUD, 'UARTADC_BAUDRATE'],
      [transport.baud ?? UART_BAUD, 'the address'],
    ] as const) {
      if (baud === UART_BAUD) continue;
      const message = `${where} asks for ${baud} baud, but the module speaks ${UART_BAUD} only; set UARTADC_BAUDRATE=${UART_BAUD} or leave it out`;
      throw this.#line.fail('setting_refused', message, { reason: 'baud' });
    }
    this.#newQueue = () =>
      new JobQueue({
        clock,
        limit: options.queueLimit ?? 16,
        deadlineMs: 5000,
        describe: (end, cause) => this.#describe(end, cause),
      });
    this.#queue = this.#newQueue();
  }

  get statistics(): Readonly<UartStatistics> {
    return this.#session.statistics;
  }

  get state(): ConnectionState {
    return this.#session.connection.state;
  }

  /** Undefined until the first sample behind an opening. */
  get selectionProof(): SelectionProof | undefined {
    return this.#selection.proof;
  }

  onState(listener: (state: ConnectionState) => void): () => void {
    return this.#session.connection.onState(listener);
  }

  /**
   * Opens the port once; the driver opens it again by itself, after silence and after it went away. The module is
   * first spoken to by the first call, which begins with a resync.
   *
   * @throws DeviceError `device_unavailable` with the transport's code as `reason`
   */
  async open(): Promise<void> {
    try {
      await this.#session.connection.open();
    } catch (error) {
      throw error instanceof DeviceError ? namedError(error, DEVICE) : error;
    }
  }

  /** Ends all work, waiting and running, and closes the port. It may be opened again. */
  async close(): Promise<void> {
    this.#queue.close();
    this.#queue = this.#newQueue();
    await this.#session.connection.close();
  }

  /**
   * AT, answered by exactly OK CR LF: the module is there and in step.
   *
   * @throws DeviceError `device_timeout`, `corrupt_response`, `device_unavailable`, and those of the queue
   */
  probe(options: Exchange = {}): Promise<void> {
    return this.#run((signal) => this.#session.probe(signal), options);
  }

  /**
   * One sample. Taken once more when the first try failed and a resync succeeded.
   *
   * @throws DeviceError `device_timeout` (silence; names the DIP switch), `corrupt_response` (`reason`: `short`,
   *   `extra`, `range`, `selection`, `stale`, `not_ok`, `not_quiet`), `device_unavailable`, and those of the queue
   */
  read(input: UartInput, options: Exchange = {}): Promise<UartSample> {
    return this.#run((signal) => this.#session.proven(signal, () => this.#sample(input, signal)), options);
  }

  /**
   * Both inputs as one job. Each settles for itself, so that one impossible input does not take the other's value.
   * A deadline that passes after the first value leaves that value.
   *
   * @throws DeviceError those of the queue
   */
  readBoth(options: Exchange = {}): Promise<UartPair> {
    return this.#run(async (signal) => {
      const settle = (input: UartInput) =>
        settled(this.#session.proven(signal, () => this.#sample(input, signal)));
      const pair: UartPair = [await settle(1), await settle(2)];
      if (signal.aborted && !pair.some(({ status }) => status === 'fulfilled')) throw signal.reason;
      return pair;
    }, options);
  }

  /**
   * One reading in the text form, for diagnostics. Unlike a sample it names its input, and that is checked.
   *
   * @throws DeviceError as `read`; `device_error` when the module answers ERROR
   */
  readText(input: UartInput, options: Exchange = {}): Promise<UartSample> {
    return this.#run((signal) => this.#session.proven(signal, () => this.#text(input, signal)), options);
  }

  #run<T>(work: (signal: AbortSignal) => Promise<T>, options: Exchange): Promise<T> {
    const job = (signal: AbortSignal) => {
      this.#session.fault = undefined;
      return work(signal);
    };
    return this.#queue.run(job, options);
  }

  /** A value that is proven to be of `input`, as far as the module allows it. */
  async #sample(input: UartInput, signal: AbortSignal): Promise<UartSample> {
    const proof = await this.#selection.decide(signal);
    if (proof === 'text') {
      try {
        const sample = await this.#text(input, signal);
        this.#selection.textSucceeded();
        return sample;
      } catch (fault) {
        this.#selection.textFailed(fault, signal);
        // Behind ERROR, a whole answer, the module is in step and can be asked for a sample.
        if (this.#selection.proof !== 'none') throw fault;
      }
    }
    return this.#binary(input, signal);
  }

  async #binary(input: UartInput, signal: AbortSignal): Promise<UartSample> {
    await this.#selection.select(input, signal);
    const isProven = this.#selection.proof === 'register';
    const { bytes, observedAt } = await this.#line.exchange(READ_SAMPLE, SAMPLE_BYTES, signal);
    this.#session.statistics.samples += 1;
    return { ...this.#judged(input, rawOf(bytes), hexOf(bytes), observedAt), isProven };
  }

  async #text(input: UartInput, signal: AbortSignal): Promise<UartSample> {
    await this.#line.drain(signal);
    this.#line.refuseStrays();
    const hasEnded = (answer: readonly number[]) => answer.includes(LINE_FEED);
    const { bytes, observedAt } = await this.#line.dialogue(textRequest(input), hasEnded, signal);
    const lines = await textLines(bytes);
    const answer = lines?.length === 1 ? textAnswerOf(lines[0] ?? '') : undefined;
    if (answer?.kind === 'error') {
      throw this.#line.fail('device_error', `the module answered AT+AIN${input}=? with ERROR`, {
        sent: true,
      });
    }
    if (answer?.input === input)
      return { ...this.#judged(input, answer.raw, hexOf(bytes), observedAt), isProven: true };
    const message = `AT+AIN${input}=? was answered with ${hexOf(bytes)}, which is not one reading of AIN${input}`;
    throw this.#line.fail('corrupt_response', message, { reason: 'not_text', sent: true });
  }

  #judged(
    input: UartInput,
    raw: number | undefined,
    bytes: string,
    observedAt: number,
  ): Omit<UartSample, 'isProven'> {
    if (raw !== undefined && isPossible(raw))
      return { input, raw, volts: voltsOf(raw), overRange: raw > NOMINAL_MAX_RAW, observedAt };
    const message = `AIN${input} reads ${bytes} (${raw}), above the limit of ${MAX_RAW} (11 V): no sound module gives that; check wiring and input voltage`;
    throw this.#line.fail('corrupt_response', message, { reason: 'range', sent: true });
  }

  #describe(end: JobEnd, cause: unknown): DeviceError {
    if (end === 'expired_running') {
      if (this.#session.fault) return this.#session.fault;
      if (this.#line.isUnanswered) return this.#line.silence('no answer before the deadline of the call');
    }
    return namedError(queueEnd(end, this.endpoint, cause), DEVICE);
  }
}

async function settled<T>(work: Promise<T>): Promise<PromiseSettledResult<T>> {
  try {
    return { status: 'fulfilled', value: await work };
  } catch (reason) {
    return { status: 'rejected', reason };
  }
}
