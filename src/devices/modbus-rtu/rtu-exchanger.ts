import type { Clock } from '../../lib/clock/clock.ts';
import { messageOf } from '../../lib/errors/coded-error.ts';
import type { ByteTransport } from '../../transports/byte-transport.ts';
import { hexOf } from '../../transports/hex.ts';
import { DeviceError, type DeviceErrorDetails } from '../device-error.ts';
import { record } from './durations.ts';
import { AnswerOrder } from './order.ts';
import type { Exchanger } from './queued-master.ts';
import { QuietTime } from './quiet-time.ts';
import { type CorruptReason, checkReply, expectedLength } from './reply.ts';
import { describeRequest, encodeRequest, type ModbusRequest } from './request.ts';
import type { LineStatistics } from './statistics.ts';
import type { RtuTiming } from './timing.ts';
import type { RtuTrace } from './trace.ts';

/**
 * So long before the line may be spoken on, what the operating system still holds is fetched, milliseconds: the time
 * that takes is not added to the silence. What comes after it is heard, for the event loop does not sleep meanwhile.
 */
const DRAIN_AHEAD_MS = 0.3;
/** Less than any clock tells apart: rounding of sums. */
const MOMENT_MS = 1e-6;

interface Waiting {
  request: ModbusRequest;
  sentAtMs: number;
  received: number[];
  resolve(data: Uint8Array): void;
  reject(error: unknown): void;
}

/**
 * One request and its reply, never two at once. Before each request the line is silent and drained; after anything
 * but a good reply it is left alone until the device cannot answer the old request any more.
 */
export class RtuExchanger implements Exchanger {
  readonly #transport: ByteTransport;
  readonly #clock: Clock;
  readonly #timing: RtuTiming;
  readonly #statistics: LineStatistics;
  readonly #trace: RtuTrace;
  readonly #quiet: QuietTime;
  readonly #order: AnswerOrder;
  #waiting: Waiting | undefined;

  constructor(options: {
    transport: ByteTransport;
    clock: Clock;
    timing: RtuTiming;
    statistics: LineStatistics;
    trace: RtuTrace;
  }) {
    this.#transport = options.transport;
    this.#clock = options.clock;
    this.#timing = options.timing;
    this.#statistics = options.statistics;
    this.#trace = options.trace;
    this.#quiet = new QuietTime(options);
    this.#order = new AnswerOrder({
      now: () => options.clock.monotonic(),
      turnaroundMs: options.timing.turnaroundMs,
    });
    this.#transport.onBytes((bytes) => this.#received(bytes));
    this.#transport.onClosed((cause) => {
      const waiting = this.#waiting;
      if (!waiting) return;
      // The device behind the port may still answer, and the port may be back before it does.
      this.#leaveAlone(waiting.request);
      waiting.reject(
        this.#fail('device_unavailable', messageOf(cause), { reason: cause.code, sent: true, cause }),
      );
    });
  }

  /** The line was opened: what came before is unknown, so one silence goes before the first request. */
  opened(): void {
    this.#quiet.activity();
    this.#order.opened();
  }

  mayBeOld(request: ModbusRequest): boolean {
    return this.#order.mayBeOld(request);
  }

  disown(request: ModbusRequest): void {
    this.#quiet.abandoned(request, []);
  }

  /**
   * @param startBefore monotonic milliseconds; when the line is not quiet by then nothing is sent
   * @returns the data of a read, nothing for a write
   * @throws DeviceError `device_timeout`, `corrupt_response`, `modbus_exception`, `device_unavailable`; the signal's
   *   reason, at once, also while the reply is awaited
   */
  async exchange(request: ModbusRequest, signal: AbortSignal, startBefore: number): Promise<Uint8Array> {
    const frame = encodeRequest(request);
    await this.#untilQuiet(signal, startBefore);
    // It may have been given up in the very moment in which the wait ended: then nothing is sent any more.
    signal.throwIfAborted();
    this.#quiet.exchangeStarts();
    this.#order.sent(request);
    this.#statistics.requests += 1;
    const sentAtMs = this.#clock.monotonic();
    this.#trace({ kind: 'sent', atMs: sentAtMs, bytes: frame });

    let release = () => {};
    try {
      return await new Promise<Uint8Array>((resolve, reject) => {
        const waiting: Waiting = { request, sentAtMs, received: [], resolve, reject };
        this.#waiting = waiting;
        const sendingMs = frame.length * this.#timing.characterMs;
        const cancelTimeout = this.#clock.after(sendingMs + this.#timing.replyTimeoutMs, () =>
          this.#timedOut(),
        );
        const onAbort = () => {
          // The exchange may have ended in this very moment: then nothing is owed, and nobody has to wait for it.
          if (this.#waiting !== waiting) return;
          this.#statistics.abandoned += 1;
          this.#quiet.abandoned(request, waiting.received);
          this.#waiting = undefined;
          reject(signal.reason);
        };
        signal.addEventListener('abort', onAbort, { once: true });
        release = () => {
          cancelTimeout();
          signal.removeEventListener('abort', onAbort);
        };
        this.#transport.write(frame).catch((cause: unknown) => {
          if (this.#waiting?.request === request) this.#leaveAlone(request);
          reject(this.#fail('device_unavailable', messageOf(cause), { sent: true, cause }));
        });
      });
    } finally {
      release();
      this.#waiting = undefined;
    }
  }

  #received(bytes: Uint8Array): void {
    this.#quiet.activity();
    const waiting = this.#waiting;
    if (!waiting) {
      this.#quiet.discard(bytes);
      return;
    }
    this.#trace({ kind: 'received', atMs: this.#clock.monotonic(), bytes });
    waiting.received.push(...bytes);
    const check = checkReply(waiting.request, Uint8Array.from(waiting.received));
    if (check.state === 'incomplete') return;
    this.#waiting = undefined;
    if (check.state === 'corrupt') {
      waiting.reject(this.#corrupt(waiting, check.reason));
      return;
    }
    this.#order.answered(waiting.request);
    this.#statistics.replies += 1;
    record(this.#statistics.latency, this.#clock.monotonic() - waiting.sentAtMs);
    if (check.state === 'reply') {
      waiting.resolve(check.data);
      return;
    }
    this.#statistics.exceptions += 1;
    const { exception } = check;
    const message = `${this.#name(waiting.request)} was refused with Modbus exception ${exception}`;
    waiting.reject(this.#fail('modbus_exception', message, { exception, sent: true }));
  }

  #timedOut(): void {
    const waiting = this.#waiting;
    if (!waiting) return;
    this.#waiting = undefined;
    if (waiting.received.length > 0) {
      waiting.reject(this.#corrupt(waiting, 'short'));
      return;
    }
    this.#statistics.timeouts += 1;
    this.#leaveAlone(waiting.request);
    const message = `${this.#name(waiting.request)} was not answered within ${this.#timing.replyTimeoutMs} ms; check supply, wiring (A/B), unit id and bit rate`;
    waiting.reject(this.#fail('device_timeout', message, { reason: 'no_reply', sent: true }));
  }

  #corrupt(waiting: Waiting, reason: CorruptReason): DeviceError {
    this.#statistics.corrupt += 1;
    if (reason === 'crc') this.#statistics.crcErrors += 1;
    this.#leaveAlone(waiting.request);
    const got = hexOf(Uint8Array.from(waiting.received));
    const message =
      `${this.#name(waiting.request)} got an answer that is not its own (${reason}): ${got}; ` +
      `${expectedLength(waiting.request)} bytes were expected; check bit rate, parity, wiring and unit ids`;
    return this.#fail('corrupt_response', message, { reason, sent: true });
  }

  #leaveAlone(owed: ModbusRequest): void {
    this.#quiet.fault(owed);
    this.#order.fault();
  }

  async #untilQuiet(signal: AbortSignal, startBefore: number): Promise<void> {
    for (;;) {
      signal.throwIfAborted();
      const now = this.#clock.monotonic();
      if (now > startBefore) {
        const message = `${this.#transport.address} did not become quiet: bytes keep coming without a request; check that no other master speaks on this line`;
        throw this.#fail('device_timeout', message, { reason: 'not_quiet' });
      }
      const aheadMs = this.#quiet.endsAt - DRAIN_AHEAD_MS - now;
      if (aheadMs > MOMENT_MS) {
        await this.#quiet.wait(aheadMs, signal);
        continue;
      }
      const seen = this.#quiet.chunks;
      try {
        await this.#transport.flushInput();
      } catch (cause) {
        throw this.#fail('device_unavailable', messageOf(cause), { cause });
      }
      signal.throwIfAborted();
      if (seen !== this.#quiet.chunks) continue;
      const restMs = this.#quiet.endsAt - this.#clock.monotonic();
      if (restMs > MOMENT_MS) await this.#quiet.wait(restMs, signal);
      if (seen === this.#quiet.chunks) return;
    }
  }

  #fail(code: DeviceError['code'], message: string, details: DeviceErrorDetails): DeviceError {
    return new DeviceError(code, message, { endpoint: this.#transport.address, ...details });
  }

  #name(request: ModbusRequest): string {
    return `${describeRequest(request)} on ${this.#transport.address}`;
  }
}
