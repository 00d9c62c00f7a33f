import type { Clock } from '../../lib/clock/clock.ts';
import { messageOf } from '../../lib/errors/coded-error.ts';
import type { ByteTransport } from '../../transports/byte-transport.ts';
import { hexOf } from '../../transports/hex.ts';
import { TransportError } from '../../transports/transport-error.ts';
import { type DeviceError, failureOf } from '../device-error.ts';

export const DEVICE = 'usb-adc-uart';
/** How long an answer is waited for, and how long the line is watched behind it. */
export const ANSWER_MS = 1000;
const LISTEN_MS = 5;
/** A line on which bytes keep coming that were not requested is given up after this time. */
const LONGEST_UNREST_MS = 1000;

const DIP_HINT =
  'check wiring and supply, and that the DIP switch stands on UART: on I2C the module is silent here, and it reads the switch only at power-up';

interface Waiting {
  wake(): void;
  reject(error: unknown): void;
}

/**
 * The module's line with at most one request on it. Bytes that come while no answer is awaited are strays: they are
 * counted and never become part of an answer.
 */
export class UartLine {
  readonly #transport: ByteTransport;
  readonly #clock: Clock;
  /** An error that names device and place. */
  readonly fail: ReturnType<typeof failureOf>;
  /** Bytes of the answer that is awaited; undefined while none is. */
  #answer: number[] | undefined;
  #waiting: Waiting | undefined;
  #strays: number[] = [];
  #lastByteAt = 0;
  #isUnanswered = false;

  constructor(transport: ByteTransport, clock: Clock) {
    this.#transport = transport;
    this.#clock = clock;
    this.fail = failureOf(DEVICE, transport.address);
    transport.onBytes((bytes) => {
      this.#lastByteAt = clock.monotonic();
      this.#isUnanswered = false;
      (this.#answer ?? this.#strays).push(...bytes);
      this.#waiting?.wake();
    });
    transport.onClosed((cause) => this.#waiting?.reject(this.fromPort(cause)));
  }

  /** Bytes that came without a request since they were last accounted for. */
  get strays(): number {
    return this.#strays.length;
  }

  /** A request is out and not one byte has come since. */
  get isUnanswered(): boolean {
    return this.#isUnanswered;
  }

  /** Throws away what the operating system still holds. Strays that were seen go on counting. */
  async drain(signal: AbortSignal): Promise<void> {
    await this.#port(() => this.#transport.flushInput(), signal);
  }

  /** The strays so far are accounted for: only a resync may say that. */
  forgetStrays(): void {
    this.#strays = [];
  }

  /** @throws DeviceError `corrupt_response` when bytes came that were not requested */
  refuseStrays(): void {
    if (this.strays === 0) return;
    const message = `${this.strays} bytes came before a reading was asked for: answers and requests are out of step`;
    throw this.fail('corrupt_response', message, { reason: 'stale', sent: true });
  }

  /** Sends what has no answer. */
  async send(bytes: Uint8Array, signal: AbortSignal): Promise<void> {
    await this.#port(() => this.#transport.write(bytes), signal);
  }

  /** Never shorter than `ms`, also on a clock whose timers fire early. */
  async pause(ms: number, signal: AbortSignal): Promise<void> {
    const endsAt = this.#clock.monotonic() + ms;
    for (let leftMs = ms; leftMs > 0; leftMs = endsAt - this.#clock.monotonic()) {
      await this.#clock.sleep(leftMs, signal);
    }
  }

  /**
   * Waits until nothing has come for `ms`.
   *
   * @throws DeviceError `corrupt_response` when bytes keep coming for 1 s
   */
  async untilSilent(ms: number, signal: AbortSignal): Promise<void> {
    const startedAt = this.#clock.monotonic();
    for (let leftMs = ms; leftMs > 0; leftMs = this.#lastByteAt + ms - this.#clock.monotonic()) {
      if (this.#clock.monotonic() - startedAt > LONGEST_UNREST_MS) {
        const came = hexOf(Uint8Array.from(this.#strays.slice(-8)));
        const message = `bytes keep coming without a request (last ${came}); check that nothing else sends on this line`;
        throw this.fail('corrupt_response', message, { reason: 'not_quiet' });
      }
      await this.#clock.sleep(leftMs, signal);
    }
  }

  /**
   * One request and its answer of exactly `count` bytes, with 5 ms behind it in which nothing may follow.
   *
   * @param answerMs how long the answer is waited for, milliseconds
   * @throws DeviceError `device_timeout` for silence, `corrupt_response` for any other number of bytes
   */
  async exchange(
    request: Uint8Array,
    count: number,
    signal: AbortSignal,
    answerMs = ANSWER_MS,
  ): Promise<{ bytes: Uint8Array; observedAt: number }> {
    const isWhole = (answer: readonly number[]) => answer.length >= count;
    const { answer, observedAt } = await this.#ask(request, isWhole, signal, answerMs);
    const bytes = Uint8Array.from(answer);
    if (bytes.length === count) return { bytes, observedAt };
    const reason = bytes.length < count ? 'short' : 'extra';
    const message = `${hexOf(request)} was answered with ${bytes.length} bytes (${hexOf(bytes)}) where exactly ${count} are right; check that this port is the ADC module's, and its wiring`;
    throw this.fail('corrupt_response', message, { reason, sent: true });
  }

  /** Like `exchange`, for an answer of no fixed length: `isWhole` is asked after each chunk. What came by 1 s is the answer. */
  async dialogue(
    request: Uint8Array,
    isWhole: (answer: readonly number[]) => boolean,
    signal: AbortSignal,
  ): Promise<{ bytes: Uint8Array; observedAt: number }> {
    const { answer, observedAt } = await this.#ask(request, isWhole, signal);
    return { bytes: Uint8Array.from(answer), observedAt };
  }

  /** Nothing at all was heard. Always names the DIP switch. */
  silence(what: string): DeviceError {
    return this.fail('device_timeout', `${what}; ${DIP_HINT}`, { reason: 'no_reply', sent: true });
  }

  fromPort(cause: unknown): DeviceError {
    const reason = cause instanceof TransportError ? cause.code : 'port_failed';
    return this.fail('device_unavailable', messageOf(cause), { reason, cause });
  }

  #closed(): DeviceError {
    return this.fail('device_unavailable', 'the port went away before the answer was proven', {
      reason: 'port_gone',
      sent: true,
    });
  }

  async #ask(
    request: Uint8Array,
    isWhole: (answer: readonly number[]) => boolean,
    signal: AbortSignal,
    answerMs = ANSWER_MS,
  ): Promise<{ answer: number[]; observedAt: number }> {
    signal.throwIfAborted();
    const answer: number[] = [];
    this.#answer = answer;
    this.#isUnanswered = true;
    try {
      await this.#untilWhole(request, () => isWhole(answer), signal, answerMs);
      const observedAt = this.#clock.now();
      if (answer.length === 0)
        throw this.silence(`no answer to ${hexOf(request)} within ${answerMs / 1000} s`);
      await this.pause(LISTEN_MS, signal);
      if (!this.#transport.isOpen) throw this.#closed();
      return { answer, observedAt };
    } finally {
      this.#answer = undefined;
    }
  }

  /** Resolves when the answer is whole or the time is up; the caller looks at what has come. */
  #untilWhole(
    request: Uint8Array,
    isWhole: () => boolean,
    signal: AbortSignal,
    answerMs: number,
  ): Promise<void> {
    return new Promise<void>((resolve, reject) => {
      const release = () => {
        cancelTimeout();
        signal.removeEventListener('abort', onAbort);
        if (this.#waiting === waiting) this.#waiting = undefined;
      };
      const end = () => {
        release();
        resolve();
      };
      const fail = (error: unknown) => {
        release();
        reject(error);
      };
      const onAbort = () => fail(signal.reason);
      const cancelTimeout = this.#clock.after(answerMs, end);
      signal.addEventListener('abort', onAbort, { once: true });
      const waiting: Waiting = {
        wake: () => {
          if (isWhole()) end();
        },
        reject: fail,
      };
      this.#waiting = waiting;
      this.#transport.write(request).catch((cause: unknown) => fail(this.fromPort(cause)));
    });
  }

  /** The port's own work, given up with its caller. */
  async #port(work: () => Promise<void>, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    let onAbort = () => {};
    const aborted = new Promise<never>((_, reject) => {
      onAbort = () => reject(signal.reason);
      signal.addEventListener('abort', onAbort, { once: true });
    });
    const done = work().catch((cause: unknown) => {
      throw this.fromPort(cause);
    });
    try {
      await Promise.race([done, aborted]);
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }
}
