import type { Clock } from '../../lib/clock/clock.ts';
import { messageOf } from '../../lib/errors/coded-error.ts';
import { REPORT_BYTES, type HidTransport } from '../../transports/hid/hid-transport.ts';
import { hexOf } from '../../transports/hex.ts';
import type { TransportError } from '../../transports/transport-error.ts';
import { DeviceError, type DeviceErrorDetails } from '../device-error.ts';
import { hex } from './protocol/answer.ts';
import type { Request } from './protocol/request.ts';
import type { HidStatistics } from './statistics.ts';
import { Trust } from './trust.ts';

/** No answer within this time and the exchange has failed, milliseconds. A round trip takes about 2. */
export const ANSWER_LIMIT_MS = 500;

/** USB asks the chip for a report once per millisecond: an answer takes longer than this after its request. */
export const EARLIEST_ANSWER_MS = 1;

/** After an early report: how long the answer to the same request may still take before a fence is sent. */
const SETTLE_MS = 20;

export interface ExchangerOptions {
  transport: HidTransport;
  clock: Clock;
  statistics: HidStatistics;
  /** Default 1. Only a test that shows what the rule is good for sets it. */
  earliestAnswerMs?: number;
  /** Default true. Only a test that shows what fences are good for switches them off. */
  fences?: boolean;
}

/** `repeated`: sent without a fence right after another with the same code. */
type Kind = 'plain' | 'repeated' | 'fence';

interface Waiting {
  kind: Kind;
  request: Request;
  sentAt: number;
  resolve(report: Uint8Array): void;
  reject(error: unknown): void;
}

/** One request and its own answer, never two at once. Why it is its own: see `Trust`. */
export class Exchanger {
  readonly #transport: HidTransport;
  readonly #clock: Clock;
  readonly #statistics: HidStatistics;
  readonly #earliestAnswerMs: number;
  readonly #hasFences: boolean;
  readonly #trust: Trust;
  #waiting: Waiting | undefined;
  #cancelTimeout = () => {};
  /** Something was thrown away since the last fence. */
  #isOdd = false;

  constructor(options: ExchangerOptions) {
    this.#transport = options.transport;
    this.#clock = options.clock;
    this.#statistics = options.statistics;
    this.#earliestAnswerMs = options.earliestAnswerMs ?? EARLIEST_ANSWER_MS;
    this.#hasFences = options.fences ?? true;
    this.#trust = new Trust(() => options.clock.monotonic());
  }

  /**
   * @returns the 64 bytes of the answer; its first byte repeats the command
   * @throws DeviceError `device_timeout`, `corrupt_response` (`length`), `device_unavailable`; the signal's reason, at
   *   once, also while the answer is awaited
   */
  async exchange(request: Request, signal: AbortSignal): Promise<Uint8Array> {
    signal.throwIfAborted();
    if (this.#hasFences && this.#trust.isMistakable(request.command)) await this.#fence(request, signal);
    return this.#attempt(request, signal, 'plain');
  }

  /**
   * The same command again without a fence, for many samples in a row: half the time for each. Then a doubled or extra
   * report of the last exchange would be taken for the answer. It comes, though, at the next poll of the endpoint,
   * within 1 ms of the last one, and a chip takes longer to answer. A report that comes so soon is thrown away, and
   * whenever anything odd came, the answer is thrown away as well and asked for again behind a fence. What passes all
   * the same (a host that stalls just then) was made after the fence before the first of the row.
   */
  async repeat(request: Request, signal: AbortSignal): Promise<Uint8Array> {
    signal.throwIfAborted();
    if (this.#isOdd) return this.exchange(request, signal);
    const answer = await this.#attempt(request, signal, 'repeated');
    if (!this.#isOdd) return answer;
    this.#statistics.distrusted += 1;
    return this.exchange(request, signal);
  }

  /** An IN report, whatever it is. */
  received(report: Uint8Array): void {
    const waiting = this.#waiting;
    if (!waiting) {
      this.#statistics.unsolicited += 1;
      this.#isOdd = true;
      return;
    }
    const isRepeated = waiting.kind === 'repeated';
    if (isRepeated && this.#clock.monotonic() - waiting.sentAt <= this.#earliestAnswerMs) {
      this.#statistics.early += 1;
      this.#isOdd = true;
      this.#cancelTimeout();
      this.#cancelTimeout = this.#clock.after(SETTLE_MS, () => this.#take(waiting, report));
      return;
    }
    if (report.length !== REPORT_BYTES) {
      this.#statistics.corrupt += 1;
      this.#isOdd = true;
      this.#waiting = undefined;
      const name = this.#name(waiting.request);
      const message = `${name} got a report of ${report.length} bytes where 64 were expected: ${hexOf(report)}`;
      waiting.reject(this.#fail('corrupt_response', message, { reason: 'length', sent: true }));
      return;
    }
    if (report[0] !== waiting.request.command) {
      this.#statistics.others += 1;
      this.#isOdd = true;
      return;
    }
    this.#take(waiting, report);
  }

  /** The device went away: it will not answer, and begins anew when it comes back. */
  lost(cause: TransportError): void {
    this.#trust.gone();
    this.#waiting?.reject(
      this.#fail('device_unavailable', messageOf(cause), { reason: cause.code, sent: true, cause }),
    );
  }

  #take(waiting: Waiting, report: Uint8Array): void {
    this.#waiting = undefined;
    // Behind a fence it is proven to be the request's own; in a row only as long as nothing odd came.
    if (waiting.kind !== 'repeated' || !this.#isOdd) {
      this.#trust.answered(waiting.request.command);
      this.#statistics.answers += 1;
    }
    if (waiting.kind === 'fence') this.#isOdd = false;
    waiting.resolve(report);
  }

  async #fence(request: Request, signal: AbortSignal): Promise<void> {
    const fence = this.#trust.fenceFor(request.command);
    if (!fence) {
      const message = `the chip on ${this.#transport.address} owes answers to every harmless command`;
      throw this.#fail('device_timeout', message, { reason: 'owed' });
    }
    this.#statistics.fences += 1;
    await this.#attempt(fence, signal, 'fence');
  }

  async #attempt(request: Request, signal: AbortSignal, kind: Kind): Promise<Uint8Array> {
    signal.throwIfAborted();
    this.#statistics.requests += 1;
    let release = () => {};
    try {
      return await new Promise<Uint8Array>((resolve, reject) => {
        this.#waiting = { kind, request, sentAt: this.#clock.monotonic(), resolve, reject };
        this.#trust.sent(request.command);
        this.#cancelTimeout = this.#clock.after(ANSWER_LIMIT_MS, () => {
          this.#statistics.timeouts += 1;
          const message = `${this.#name(request)} was not answered within ${ANSWER_LIMIT_MS} ms`;
          reject(this.#fail('device_timeout', message, { reason: 'no_reply', sent: true }));
        });
        const onAbort = () => {
          this.#statistics.abandoned += 1;
          reject(signal.reason);
        };
        signal.addEventListener('abort', onAbort, { once: true });
        release = () => signal.removeEventListener('abort', onAbort);
        this.#transport.write(request.report).catch((cause: unknown) => {
          reject(
            this.#fail('device_unavailable', messageOf(cause), { reason: 'write_failed', sent: true, cause }),
          );
        });
      });
    } finally {
      release();
      this.#cancelTimeout();
      this.#waiting = undefined;
    }
  }

  #fail(code: DeviceError['code'], message: string, details: DeviceErrorDetails): DeviceError {
    return new DeviceError(code, message, { endpoint: this.#transport.address, ...details });
  }

  #name(request: Request): string {
    return `command ${hex(request.command)} on ${this.#transport.address}`;
  }
}
