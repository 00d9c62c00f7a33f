import type { Clock } from '../../lib/clock/clock.ts';
import { messageOf } from '../../lib/errors/coded-error.ts';
import type { ByteTransport } from '../../transports/byte-transport.ts';
import { hexOf } from '../../transports/hex.ts';
import { DeviceError, type DeviceErrorDetails } from '../device-error.ts';
import { record } from '../modbus-rtu/durations.ts';
import type { ExchangeOptions, Exchanger } from '../modbus-rtu/queued-master.ts';
import { checkBody, expectedBodyLength } from '../modbus-rtu/reply.ts';
import { describeRequest, encodeBody, type ModbusRequest } from '../modbus-rtu/request.ts';
import type { LineStatistics } from '../modbus-rtu/statistics.ts';
import { StrayReplies } from '../modbus-rtu/stray-replies.ts';
import type { ReplyTiming } from '../modbus-rtu/timing.ts';
import type { RtuTrace } from '../modbus-rtu/trace.ts';
import { encodeFrame, FrameReader, type TcpFrame } from './frame.ts';

/** Exceptions by which a gateway reports that the device behind it is not reached, or did not answer. */
const GATEWAY_EXCEPTIONS = [0x0a, 0x0b];
/** The line behind a gateway is taken for as slow as one of our own (DEV-059), milliseconds. */
const GATEWAY_LINE = { turnaroundMs: 700, strayMs: 10_000 };

interface Waiting {
  transaction: number;
  request: ModbusRequest;
  sentAtMs: number;
  resolve(data: Uint8Array): void;
  reject(error: unknown): void;
}

/**
 * One request and its reply over TCP, never two at once. Each request has a transaction number of its own, so that a
 * late reply is known as such and thrown away; there is nothing to wait for before the next request. A gateway to an
 * RTU line may give a late reply of its line the number of the next request: such replies are counted as on a line.
 */
export class TcpExchanger implements Exchanger {
  readonly #transport: ByteTransport;
  readonly #clock: Clock;
  readonly #timing: ReplyTiming;
  readonly #statistics: LineStatistics;
  readonly #trace: RtuTrace;
  readonly #broken: () => void;
  readonly #reader = new FrameReader();
  readonly #strays: StrayReplies;
  #lastTransaction = 0;
  #waiting: Waiting | undefined;

  constructor(options: {
    transport: ByteTransport;
    clock: Clock;
    timing: ReplyTiming;
    statistics: LineStatistics;
    trace: RtuTrace;
    /** The stream cannot be taken apart any more: another connection is needed. */
    broken: () => void;
  }) {
    this.#transport = options.transport;
    this.#clock = options.clock;
    this.#timing = options.timing;
    this.#statistics = options.statistics;
    this.#trace = options.trace;
    this.#broken = options.broken;
    this.#strays = new StrayReplies({ now: () => options.clock.monotonic(), timing: GATEWAY_LINE });
    this.#transport.onBytes((bytes) => this.#received(bytes));
    this.#transport.onClosed((cause) => {
      const error = this.#fail('device_unavailable', messageOf(cause), {
        reason: cause.code,
        sent: true,
        cause,
      });
      const waiting = this.#take();
      if (waiting) this.#strays.unanswered(waiting.request);
      waiting?.reject(error);
    });
  }

  opened(): void {
    this.#reader.reset();
    this.#strays.opened();
  }

  strayReplies(request: ModbusRequest): number {
    return this.#strays.countFor(request);
  }

  /** Nothing has to be waited for here: a command itself is as soon. */
  async sendAhead(): Promise<void> {}

  markAbandoned(request: ModbusRequest): void {
    this.#strays.unanswered(request);
  }

  /**
   * @throws DeviceError `device_timeout`, `corrupt_response`, `modbus_exception`, `device_unavailable`; the signal's
   *   reason, at once, also while the reply is awaited
   */
  async exchange(
    request: ModbusRequest,
    { signal, startBefore, urgent }: ExchangeOptions,
  ): Promise<Uint8Array> {
    signal.throwIfAborted();
    if (this.#clock.monotonic() > startBefore) {
      const message = `no time is left for ${this.#name(request)}`;
      throw this.#fail('device_timeout', message, { reason: 'not_quiet' });
    }
    this.#lastTransaction = (this.#lastTransaction + 1) & 0xffff;
    const transaction = this.#lastTransaction;
    const frame = encodeFrame(transaction, request.unit, encodeBody(request));
    const sentAtMs = this.#clock.monotonic();
    this.#statistics.requests += 1;
    this.#strays.sent(request);
    this.#trace({ kind: 'sent', atMs: sentAtMs, bytes: frame });

    let release = () => {};
    try {
      return await new Promise<Uint8Array>((resolve, reject) => {
        this.#waiting = { transaction, request, sentAtMs, resolve, reject };
        const withinMs = urgent?.replyWithinMs ?? this.#timing.replyTimeoutMs;
        const cancelTimeout = this.#clock.after(withinMs, () => this.#timedOut(withinMs));
        const onAbort = () => {
          // The exchange may have ended in this very moment.
          if (this.#waiting?.transaction !== transaction) return;
          this.#statistics.abandoned += 1;
          this.#strays.unanswered(request);
          reject(signal.reason);
        };
        signal.addEventListener('abort', onAbort, { once: true });
        release = () => {
          cancelTimeout();
          signal.removeEventListener('abort', onAbort);
        };
        this.#transport.write(frame).catch((cause: unknown) => {
          reject(this.#fail('device_unavailable', messageOf(cause), { sent: true, cause }));
        });
      });
    } finally {
      release();
      this.#waiting = undefined;
    }
  }

  #received(bytes: Uint8Array): void {
    const { frames, fault } = this.#reader.push(bytes);
    for (const frame of frames) {
      if (frame.transaction === this.#waiting?.transaction) this.#reply(frame);
      else this.#discard(frame);
    }
    if (fault === undefined) return;
    this.#trace({
      kind: 'discarded',
      atMs: this.#clock.monotonic(),
      bytes,
      note: `not Modbus TCP: ${fault}`,
    });
    this.#statistics.discardedBytes += bytes.length;
    this.#reader.reset();
    const waiting = this.#take();
    if (waiting) {
      this.#statistics.corrupt += 1;
      const message = `${this.#name(waiting.request)} got bytes that are not Modbus TCP (${fault}); check host and port`;
      waiting.reject(this.#fail('corrupt_response', message, { reason: 'framing', sent: true }));
    }
    this.#broken();
  }

  #reply({ transaction, unit, body }: TcpFrame): void {
    const waiting = this.#take();
    if (!waiting) return;
    const bytes = encodeFrame(transaction, unit, body);
    this.#trace({ kind: 'received', atMs: this.#clock.monotonic(), bytes });
    const { request } = waiting;
    const check =
      unit === request.unit ? checkBody(request, body) : ({ state: 'corrupt', reason: 'unit' } as const);
    const isFromGateway = check.state === 'exception' && GATEWAY_EXCEPTIONS.includes(check.exception);
    if (isFromGateway || check.state === 'corrupt') this.#strays.unanswered(request);
    else this.#strays.answered(request);
    if (check.state === 'reply' || check.state === 'exception') {
      this.#statistics.replies += 1;
      record(this.#statistics.latency, this.#clock.monotonic() - waiting.sentAtMs);
    }
    if (check.state === 'reply') {
      waiting.resolve(check.data);
    } else if (check.state === 'exception') {
      this.#statistics.exceptions += 1;
      const { exception } = check;
      const message = `${this.#name(request)} was refused with Modbus exception ${exception}`;
      waiting.reject(this.#fail('modbus_exception', message, { exception, sent: true }));
    } else {
      this.#statistics.corrupt += 1;
      const reason = check.state === 'corrupt' ? check.reason : 'length';
      const message =
        `${this.#name(request)} received an invalid reply (${reason}): ${hexOf(body)}; ` +
        `${expectedBodyLength(request)} bytes were expected; check host, port and unit id`;
      waiting.reject(this.#fail('corrupt_response', message, { reason, sent: true }));
    }
  }

  /** Whatever bears another number than the request that waits answers nothing that is asked now. */
  #discard({ transaction, unit, body }: TcpFrame): void {
    const bytes = encodeFrame(transaction, unit, body);
    const age = (this.#lastTransaction - transaction) & 0xffff;
    const isLate = age < 0x8000;
    if (isLate) this.#statistics.lateFrames += 1;
    this.#statistics.discardedBytes += bytes.length;
    const note = isLate ? 'late reply thrown away' : `transaction ${transaction} was never asked`;
    this.#trace({ kind: 'discarded', atMs: this.#clock.monotonic(), bytes, note });
  }

  #timedOut(withinMs: number): void {
    const waiting = this.#take();
    if (!waiting) return;
    this.#strays.unanswered(waiting.request);
    if (this.#reader.held > 0) {
      // Half an answer: where the next one begins would be a guess.
      this.#statistics.corrupt += 1;
      const message = `${this.#name(waiting.request)} got only ${this.#reader.held} bytes of an answer`;
      waiting.reject(this.#fail('corrupt_response', message, { reason: 'short', sent: true }));
      this.#broken();
      return;
    }
    this.#statistics.timeouts += 1;
    const message = `${this.#name(waiting.request)} was not answered within ${Math.round(withinMs)} ms; check supply, network and unit id`;
    waiting.reject(this.#fail('device_timeout', message, { reason: 'no_reply', sent: true }));
  }

  #take(): Waiting | undefined {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    return waiting;
  }

  #fail(code: DeviceError['code'], message: string, details: DeviceErrorDetails): DeviceError {
    return new DeviceError(code, message, { endpoint: this.#transport.address, ...details });
  }

  #name(request: ModbusRequest): string {
    return `${describeRequest(request)} on ${this.#transport.address}`;
  }
}
