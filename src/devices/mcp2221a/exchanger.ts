import { afterSilence } from '../../lib/clock/after-silence.ts';
import type { Clock } from '../../lib/clock/clock.ts';
import { messageOf } from '../../lib/errors/coded-error.ts';
import { hexOf } from '../../transports/hex.ts';
import { type HidTransport, REPORT_BYTES } from '../../transports/hid/hid-transport.ts';
import type { TransportError } from '../../transports/transport-error.ts';
import { DeviceError, type DeviceErrorDetails } from '../device-error.ts';
import { hex } from './protocol/answer.ts';
import type { Command, Request } from './protocol/request.ts';
import { ReplyMatching } from './reply-matching.ts';
import type { HidStatistics } from './statistics.ts';

/** No answer within this time and the exchange has failed, milliseconds. A round trip takes about 2. */
export const ANSWER_LIMIT_MS = 250;

/** A silent chip is asked so often whether it answers again, milliseconds. */
export const PING_EVERY_MS = 250;

/** USB asks the chip for a report once per millisecond: an answer takes longer than this after its request. */
export const EARLIEST_ANSWER_MS = 1;

/** After an early report: how long the answer to the same request may still take before a sync request is sent. */
const SETTLE_MS = 20;

export interface ExchangerOptions {
  transport: HidTransport;
  clock: Clock;
  statistics: HidStatistics;
  /** Default 1. Only a test that shows what the rule is good for sets it. */
  earliestAnswerMs?: number;
  /** Default true. Only a test that shows what sync requests are good for switches them off. */
  syncRequests?: boolean;
}

interface Waiting {
  request: Request;
  sentAt: number;
  /** Sent without a sync request right after another with the same code. */
  isRepeated: boolean;
  resolve(report: Uint8Array): void;
  reject(error: unknown): void;
}

/** One request and its own answer, never two at once. Why it is its own: see `ReplyMatching`. */
export class Exchanger {
  readonly #transport: HidTransport;
  readonly #clock: Clock;
  readonly #statistics: HidStatistics;
  readonly #earliestAnswerMs: number;
  readonly #sendsSyncRequests: boolean;
  /** By the path of what was opened: each chip owes its own answers. */
  readonly #matchings = new Map<string, ReplyMatching>();
  #openedPath = '';
  #waiting: Waiting | undefined;
  /** While a sign of life is waited for. */
  #listening: { resolve(): void; reject(cause: unknown): void } | undefined;
  #cancelTimeout = () => {};

  constructor(options: ExchangerOptions) {
    this.#transport = options.transport;
    this.#clock = options.clock;
    this.#statistics = options.statistics;
    this.#earliestAnswerMs = options.earliestAnswerMs ?? EARLIEST_ANSWER_MS;
    this.#sendsSyncRequests = options.syncRequests ?? true;
  }

  /** Of the chip that is open, or was open last. A path that is new may lead to a chip that was open under another one. */
  get #matching(): ReplyMatching {
    const before = this.#matchings.get(this.#openedPath);
    this.#openedPath = this.#transport.endpoint?.path ?? this.#openedPath;
    const matching =
      this.#matchings.get(this.#openedPath) ?? new ReplyMatching(() => this.#clock.monotonic(), before);
    this.#matchings.set(this.#openedPath, matching);
    return matching;
  }

  /** Reports that were thrown away so far: each says that something is on the line that was not expected. */
  get unexpectedReplies(): number {
    const { unsolicited, others, early } = this.#statistics;
    return unsolicited + others + early;
  }

  /**
   * @returns the 64 bytes of the answer; its first byte repeats the command
   * @throws DeviceError `device_timeout`, `corrupt_response` (`length`), `device_unavailable`; the signal's reason, at
   *   once, also while the answer is awaited
   */
  async exchange(request: Request, signal: AbortSignal): Promise<Uint8Array> {
    signal.throwIfAborted();
    if (this.#sendsSyncRequests && this.#matching.isMistakable(request.command))
      await this.#synchronise(request, signal);
    return this.#attempt(request, signal, false);
  }

  /**
   * The same command again without a sync request, for many samples in a row: half the time for each. Then a doubled or extra
   * report of the last exchange could be taken for the answer. It comes, though, at the next poll of the endpoint,
   * within 1 ms of the last one, and a chip takes longer to answer. A report that comes so soon is thrown away and
   * counted in `unexpectedReplies`. The caller MUST throw the answer away when that count has grown since its last sync request: two
   * extra reports may have come, and the second of them looks like an answer. What passes all the same (the host stalls
   * just then) was made after the sync request before the first of the row.
   */
  async repeat(request: Request, signal: AbortSignal): Promise<Uint8Array> {
    return this.#attempt(request, signal, true);
  }

  /**
   * Asks a silent chip something harmless, until any report comes. The report itself is not believed.
   *
   * @throws DeviceError `device_unavailable`; the signal's reason
   */
  async untilHeard(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    let onAbort = () => {};
    try {
      await new Promise<void>((resolve, reject) => {
        const ask = () => {
          const request = this.#matching.ping();
          this.#statistics.pings += 1;
          this.#matching.sent(request.command);
          this.#cancelTimeout = this.#clock.after(PING_EVERY_MS, ask);
          this.#transport.write(request.report).catch((cause) => reject(this.#writeFailed(cause)));
        };
        this.#listening = { resolve, reject };
        onAbort = () => reject(signal.reason);
        signal.addEventListener('abort', onAbort, { once: true });
        ask();
      });
    } finally {
      signal.removeEventListener('abort', onAbort);
      this.#cancelTimeout();
      this.#listening = undefined;
    }
  }

  /** An IN report, whatever it is. */
  received(report: Uint8Array): void {
    if (this.#listening) {
      this.#matching.heard(report[0] as Command);
      // With answers owed to every harmless command the next request could not be told from them: their time runs out.
      if (this.#matching.hasSyncRequest) this.#listening.resolve();
      return;
    }
    const waiting = this.#waiting;
    if (!waiting) {
      this.#statistics.unsolicited += 1;
      return;
    }
    if (waiting.isRepeated && this.#clock.monotonic() - waiting.sentAt <= this.#earliestAnswerMs) {
      this.#statistics.early += 1;
      this.#cancelTimeout();
      // If it was the answer after all, none follows: the caller asks again behind a sync request, not after a time-out.
      this.#cancelTimeout = this.#clock.after(SETTLE_MS, () => this.#take(waiting, report));
      return;
    }
    if (report.length !== REPORT_BYTES) {
      this.#statistics.corrupt += 1;
      this.#waiting = undefined;
      const name = this.#name(waiting.request);
      const message = `${name} got a report of ${report.length} bytes where 64 were expected: ${hexOf(report)}`;
      waiting.reject(this.#fail('corrupt_response', message, { reason: 'length', sent: true }));
      return;
    }
    if (report[0] !== waiting.request.command) {
      this.#statistics.others += 1;
      return;
    }
    this.#take(waiting, report);
  }

  /** The device went away: it will not answer, and begins anew when it comes back. */
  lost(cause: TransportError): void {
    this.#matching.gone();
    const error = this.#fail('device_unavailable', messageOf(cause), {
      reason: cause.code,
      sent: true,
      cause,
    });
    this.#waiting?.reject(error);
    this.#listening?.reject(error);
  }

  #take(waiting: Waiting, report: Uint8Array): void {
    this.#waiting = undefined;
    this.#matching.answered(waiting.request.command);
    this.#statistics.answers += 1;
    waiting.resolve(report);
  }

  async #synchronise(request: Request, signal: AbortSignal): Promise<void> {
    const syncRequest = this.#matching.syncRequestFor(request.command);
    if (!syncRequest) {
      const message = `the chip on ${this.#transport.address} owes answers to every harmless command; unplug it and plug it in again`;
      throw this.#fail('device_timeout', message, { reason: 'owed' });
    }
    this.#statistics.syncRequests += 1;
    await this.#attempt(syncRequest, signal, false);
  }

  async #attempt(request: Request, signal: AbortSignal, isRepeated: boolean): Promise<Uint8Array> {
    signal.throwIfAborted();
    this.#statistics.requests += 1;
    let release = () => {};
    try {
      return await new Promise<Uint8Array>((resolve, reject) => {
        this.#waiting = { request, sentAt: this.#clock.monotonic(), isRepeated, resolve, reject };
        this.#matching.sent(request.command);
        this.#cancelTimeout = afterSilence(this.#clock, ANSWER_LIMIT_MS, () => {
          this.#statistics.timeouts += 1;
          const message = `${this.#name(request)} was not answered within ${ANSWER_LIMIT_MS} ms; unplug the chip and plug it in again`;
          reject(this.#fail('device_timeout', message, { reason: 'no_reply', sent: true }));
        });
        const onAbort = () => {
          this.#statistics.abandoned += 1;
          reject(signal.reason);
        };
        signal.addEventListener('abort', onAbort, { once: true });
        release = () => signal.removeEventListener('abort', onAbort);
        this.#transport.write(request.report).catch((cause) => reject(this.#writeFailed(cause)));
      });
    } finally {
      release();
      this.#cancelTimeout();
      this.#waiting = undefined;
    }
  }

  #writeFailed(cause: unknown): DeviceError {
    return this.#fail('device_unavailable', messageOf(cause), { reason: 'write_failed', sent: true, cause });
  }

  #fail(code: DeviceError['code'], message: string, details: DeviceErrorDetails): DeviceError {
    return new DeviceError(code, message, { endpoint: this.#transport.address, ...details });
  }

  #name(request: Request): string {
    return `command ${hex(request.command)} on ${this.#transport.address}`;
  }
}
