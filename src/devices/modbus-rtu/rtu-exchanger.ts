import type { Clock } from '../../lib/clock/clock.ts';
import { messageOf } from '../../lib/errors/coded-error.ts';
import type { ByteTransport } from '../../transports/byte-transport.ts';
import { hexOf } from '../../transports/hex.ts';
import { DeviceError, type DeviceErrorDetails } from '../device-error.ts';
import { record } from './durations.ts';
import type { ExchangeOptions, Exchanger } from './queued-master.ts';
import { QuietTime } from './quiet-time.ts';
import { type CorruptReason, checkReply, expectedLength } from './reply.ts';
import { describeRequest, encodeRequest, isRead, type ModbusRequest } from './request.ts';
import type { LineStatistics } from './statistics.ts';
import { StrayReplies } from './stray-replies.ts';
import { type RtuTiming, soonestArrivalMs } from './timing.ts';
import type { RtuTrace } from './trace.ts';

/**
 * So long before the line may be spoken on, what the operating system still holds is fetched, milliseconds: the time
 * that takes is not added to the silence. What comes after it is heard, for the event loop does not sleep meanwhile.
 */
const DRAIN_AHEAD_MS = 0.3;
/** Less than any clock distinguishes: rounding of sums. */
const MOMENT_MS = 1e-6;

/** A frame that is sent ahead of the quiet time is sent so often, for a device that is just answering hears nothing. */
const FRAMES_AHEAD = 3;
/** From a frame sent ahead to the next, besides the time of both and of the echo on the line, milliseconds. */
const AHEAD_PAUSE_MS = 20;

/** What came is a whole reply of another, or cannot be this one's: its own may still come. */
const OF_ANOTHER: readonly CorruptReason[] = ['unit', 'function', 'echo', 'short', 'early'];

/** A timer is later than it should be by so much at most in a program that is not held up, milliseconds. */
const TIMER_LATE_MS = 2;
/** A reading whose moment of arrival is not known is asked so often before it is an error. */
const ASKED_AT_MOST = 5;

interface Waiting {
  request: ModbusRequest;
  requestBytes: number;
  sentAtMs: number;
  received: number[];
  /** At the soonest moment of a reply nothing had come yet. */
  hasLooked: boolean;
  /** The first bytes were found by a program that was held up, so that they may have come too soon. */
  isUntimed: boolean;
  /** Undefined: a reply came, but it is unknown when. */
  resolve(data: Uint8Array | undefined): void;
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
  readonly #strays: StrayReplies;
  #waiting: Waiting | undefined;
  #isLooking = false;

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
    this.#strays = new StrayReplies({ now: () => options.clock.monotonic(), timing: options.timing });
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
    this.#strays.opened();
  }

  strayReplies(request: ModbusRequest): number {
    if (this.#quiet.hasLeftover) this.#strays.fault();
    return this.#strays.countFor(request);
  }

  /** See `ModbusSession`. A reply that is still on its way is waited for: a slow device would answer all these as well. */
  async sendAhead(requests: readonly ModbusRequest[], signal: AbortSignal): Promise<void> {
    if (this.#quiet.isReplyLost) await this.#sendAhead(requests, signal);
  }

  markAbandoned(request: ModbusRequest): void {
    this.#abandon(request, []);
  }

  /**
   * @param options.startBefore monotonic milliseconds; when the line is not quiet by then nothing is sent
   * @param options.urgent a reading that is sent after 3.5 silent characters, also where the line is left alone
   * @param options.isSentAhead the request can only switch off: where the line is left alone after a lost reply it is
   *   sent at once as well, without counting on its echo
   * @returns the data of a read, nothing for a write
   * @throws DeviceError `device_timeout`, `corrupt_response`, `modbus_exception`, `device_unavailable`; the signal's
   *   reason, at once, also while the reply is awaited
   */
  async exchange(request: ModbusRequest, options: ExchangeOptions): Promise<Uint8Array> {
    const frame = encodeRequest(request);
    if (options.isSentAhead) await this.#sendAhead([request], options.signal);
    for (let asked = 1; asked <= ASKED_AT_MOST; asked++) {
      const data = await this.#ask(request, frame, options);
      if (data) return data;
      this.#statistics.untimed += 1;
    }
    const message = `${this.#name(request)} was answered ${ASKED_AT_MOST} times while this program was held up, so it is not known whether the replies came too soon; reduce the load of this machine`;
    throw this.#fail('corrupt_response', message, { reason: 'untimed', sent: true });
  }

  async #ask(
    request: ModbusRequest,
    frame: Uint8Array,
    { signal, startBefore, urgent }: ExchangeOptions,
  ): Promise<Uint8Array | undefined> {
    await this.#untilQuiet(signal, startBefore, urgent !== undefined);
    // It may have been given up in the very moment in which the wait ended: then nothing is sent any more.
    signal.throwIfAborted();
    // A reply that came in part and was not completed is no reply.
    if (this.#quiet.hasLeftover) this.#strays.fault();
    this.#quiet.exchangeStarts();
    this.#strays.sent(request);
    this.#statistics.requests += 1;
    const sentAtMs = this.#clock.monotonic();
    this.#trace({ kind: 'sent', atMs: sentAtMs, bytes: frame });

    let release = () => {};
    try {
      return await new Promise<Uint8Array | undefined>((resolve, reject) => {
        const requestBytes = frame.length;
        const waiting: Waiting = {
          request,
          requestBytes,
          sentAtMs,
          received: [],
          hasLooked: false,
          isUntimed: false,
          resolve,
          reject,
        };
        this.#waiting = waiting;
        const sendingMs = frame.length * this.#timing.characterMs;
        const withinMs = urgent?.replyWithinMs ?? this.#timing.replyTimeoutMs;
        const cancelTimeout = this.#clock.after(sendingMs + withinMs, () => this.#timedOut(withinMs));
        const onAbort = () => {
          // The exchange may have ended in this very moment: then nothing is owed, and no one has to wait for it.
          if (this.#waiting !== waiting) return;
          this.#statistics.abandoned += 1;
          this.#abandon(request, waiting.received);
          this.#waiting = undefined;
          reject(signal.reason);
        };
        signal.addEventListener('abort', onAbort, { once: true });
        const cancelLook = this.#lookAtSoonest(waiting);
        release = () => {
          cancelTimeout();
          cancelLook();
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
      const found = this.#quiet.discard(bytes);
      if (found.kind === 'late_reply') this.#strays.arrivedLate(found.request);
      else if (found.kind === 'frame') this.#strays.fault();
      return;
    }
    const now = this.#clock.monotonic();
    const sinceMs = now - waiting.sentAtMs;
    if (waiting.received.length === 0) waiting.isUntimed = this.#isUntimed(waiting, sinceMs);
    waiting.received.push(...bytes);
    const soonestMs = soonestArrivalMs(this.#timing, waiting.requestBytes, waiting.received.length);
    if (sinceMs < soonestMs) {
      const note = `early: ${sinceMs.toFixed(1)} ms after the request, not possible before ${soonestMs.toFixed(1)} ms`;
      this.#trace({ kind: 'discarded', atMs: now, bytes, note });
      this.#waiting = undefined;
      waiting.reject(this.#corrupt(waiting, 'early'));
      return;
    }
    this.#trace({ kind: 'received', atMs: now, bytes });
    const check = checkReply(waiting.request, Uint8Array.from(waiting.received));
    if (check.state === 'incomplete') return;
    this.#waiting = undefined;
    if (check.state === 'corrupt') {
      waiting.reject(this.#corrupt(waiting, check.reason));
      return;
    }
    // A write is confirmed by its read-back; a reading has nothing but itself.
    if (waiting.isUntimed && isRead(waiting.request)) {
      // Had it been a stray one, its own would still come.
      if (this.#strays.isSuspect) this.#strays.unanswered(waiting.request);
      waiting.resolve(undefined);
      return;
    }
    this.#strays.answered(waiting.request);
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

  /**
   * What is received is known at the moment when the program gets to it. A program that is held up for milliseconds finds
   * early bytes when they are not early any more. So at the soonest moment of a reply it looks by itself: what is there
   * already by then, whenever that is, has come at a time that is not known.
   */
  #lookAtSoonest(waiting: Waiting): () => void {
    const soonestMs = soonestArrivalMs(this.#timing, waiting.requestBytes, 1);
    if (soonestMs <= 0) return () => {};
    return this.#clock.after(soonestMs, () => {
      this.#isLooking = true;
      // The exchange itself finds out when the port went away.
      this.#transport.flushInput().catch(() => {});
      this.#isLooking = false;
      waiting.hasLooked = true;
    });
  }

  /** @param sinceMs from the request to its first bytes */
  #isUntimed(waiting: Waiting, sinceMs: number): boolean {
    const soonestMs = soonestArrivalMs(this.#timing, waiting.requestBytes, 1);
    if (this.#isLooking) return true;
    if (soonestMs <= 0 || waiting.hasLooked) return false;
    return sinceMs > soonestMs + TIMER_LATE_MS;
  }

  #timedOut(withinMs: number): void {
    // A program that was held up finds its timer before the reply that came meanwhile; what is there is no silence. Nobody
    // knows when it came: what was read is asked for again.
    this.#isLooking = true;
    this.#transport.flushInput().catch(() => {});
    this.#isLooking = false;
    const waiting = this.#waiting;
    if (!waiting) return;
    this.#waiting = undefined;
    if (waiting.received.length > 0) {
      waiting.reject(this.#corrupt(waiting, 'short'));
      return;
    }
    this.#statistics.timeouts += 1;
    this.#leaveAlone(waiting.request);
    const message = `${this.#name(waiting.request)} was not answered within ${Math.round(withinMs)} ms; check supply, wiring (A/B), unit id and bit rate`;
    waiting.reject(this.#fail('device_timeout', message, { reason: 'no_reply', sent: true }));
  }

  #corrupt(waiting: Waiting, reason: CorruptReason): DeviceError {
    this.#statistics.corrupt += 1;
    if (reason === 'crc') this.#statistics.crcErrors += 1;
    if (reason === 'early') this.#statistics.early += 1;
    this.#leaveAlone(waiting.request, OF_ANOTHER.includes(reason));
    const got = hexOf(Uint8Array.from(waiting.received));
    const message =
      reason === 'early'
        ? `${this.#name(waiting.request)} received ${got} sooner than ${this.#transport.baud ?? ''} bit/s can carry a reply; check that no other master is on this line and that the adapter does not echo, and set the bit rate of the device (an emulator on a pseudo-terminal without a bit rate: serial:<path>?pacing=none)`
        : `${this.#name(waiting.request)} received an invalid reply (${reason}): ${got}; ` +
          `${expectedLength(waiting.request)} bytes were expected; check bit rate, parity, wiring and unit ids`;
    return this.#fail('corrupt_response', message, { reason, sent: true });
  }

  /** After a fault. @param isOwed the reply may still come */
  #leaveAlone(request: ModbusRequest, isOwed = true): void {
    this.#quiet.fault(request);
    this.#strays.fault();
    if (isOwed) this.#strays.unanswered(request);
  }

  /** No caller waits for the reply any more. */
  #abandon(request: ModbusRequest, received: readonly number[]): void {
    this.#quiet.abandoned(request, received);
    this.#strays.unanswered(request);
  }

  /** Nothing is sent on a line that need not be left alone: there the exchange itself is as soon. */
  async #sendAhead(requests: readonly ModbusRequest[], signal: AbortSignal): Promise<void> {
    for (let sent = 0; sent < FRAMES_AHEAD; ) {
      const request = requests[sent % requests.length];
      if (!request) return;
      const frame = encodeRequest(request);
      const takesMs = (frame.length + expectedLength(request)) * this.#timing.characterMs + AHEAD_PAUSE_MS;
      signal.throwIfAborted();
      const now = this.#clock.monotonic();
      const atMs = this.#quiet.earliestAt;
      if (atMs === undefined || Math.max(now, atMs) + takesMs > this.#quiet.endsAt) return;
      if (atMs - now > MOMENT_MS) {
        await this.#quiet.wait(atMs - now, signal);
        continue;
      }
      sent += 1;
      this.#statistics.sentAhead += 1;
      this.#trace({
        kind: 'sent',
        atMs: now,
        bytes: frame,
        note: 'sent ahead of the quiet time, not confirmed',
      });
      this.#quiet.sentAhead(request, takesMs);
      // A port that went away, or takes nothing more, is found out by the exchange that follows, which has a time limit.
      this.#transport.write(frame).catch(() => {});
    }
  }

  /** @param isUrgent until 3.5 silent characters have passed, and a reply that is missing is overdue */
  async #untilQuiet(signal: AbortSignal, startBefore: number, isUrgent = false): Promise<void> {
    const endsAt = () => (isUrgent ? this.#quiet.earliestAt : undefined) ?? this.#quiet.endsAt;
    for (;;) {
      signal.throwIfAborted();
      const now = this.#clock.monotonic();
      if (now > startBefore) {
        const message = `${this.#transport.address} did not become quiet: bytes keep coming without a request; check that no other master speaks on this line`;
        throw this.#fail('device_timeout', message, { reason: 'not_quiet' });
      }
      const aheadMs = endsAt() - DRAIN_AHEAD_MS - now;
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
      const restMs = endsAt() - this.#clock.monotonic();
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
