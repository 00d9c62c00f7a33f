import type { Clock } from '../lib/clock/clock.ts';
import { messageOf } from '../lib/errors/coded-error.ts';
import { Listeners } from '../transports/listeners.ts';
import { TransportError } from '../transports/transport-error.ts';
import { backOff } from './back-off.ts';
import { DeviceError, type DeviceErrorDetails } from './device-error.ts';

/**
 * `opening`: being opened, or opened anew after a time-out; work waits for it. `absent`: gone, or it could not be
 * opened; work fails at once, and it is tried again in the background.
 */
export type ConnectionState = 'closed' | 'opening' | 'open' | 'absent';

/** What is kept open: any transport. */
export interface Openable {
  readonly address: string;
  open(): Promise<void>;
  close(): Promise<void>;
  /** Left out where no one can determine that it went away; its user says `lost` then. */
  onClosed?(listener: (cause: TransportError) => void): () => void;
}

/** How a device that can be opened but does not answer is heard again. */
export interface Listening {
  /** Whether the open sequence failed by the device's silence. */
  isSilence(fault: DeviceError): boolean;
  /** Resolves at a sign of life; rejects when the signal aborts, or when nothing can be heard any more. */
  untilHeard(signal: AbortSignal): Promise<void>;
}

/** Keeps one device open and set up: `open` is reported only when the whole open sequence has passed. */
export class Connection {
  readonly #transport: Openable;
  readonly #clock: Clock;
  readonly #setUp: (signal: AbortSignal) => Promise<void>;
  readonly #listening: Listening | undefined;
  readonly #changed = new Listeners<ConnectionState>();
  /** An attempt has ended, whatever came of it, or all attempts have. */
  readonly #settled = new Listeners<void>();
  #state: ConnectionState = 'closed';
  #generation = 0;
  #lastFault: DeviceError | undefined;
  #trying: AbortController | undefined;
  /** The last attempt; the next one begins behind it. */
  #attempting: Promise<void> = Promise.resolve();
  /** Someone is in a hurry: the next attempt does not wait. */
  #isUrgent = false;
  /** Ends the present wait of the back-off. */
  #wake = () => {};
  #endListening = () => {};
  /** It went away since the present attempt began. */
  #gone: TransportError | undefined;

  /**
   * @param options.setUp the open sequence behind `transport.open()`; when it fails, so did the opening
   * @param options.listening keeps the handle of a silent device open for the time of the back-off, so that its first
   *   answer is heard at once however long the back-off has become
   */
  constructor(options: {
    transport: Openable;
    clock: Clock;
    setUp?: (signal: AbortSignal) => Promise<void>;
    listening?: Listening;
  }) {
    this.#transport = options.transport;
    this.#clock = options.clock;
    this.#setUp = options.setUp ?? (async () => {});
    this.#listening = options.listening;
  }

  get state(): ConnectionState {
    return this.#state;
  }

  /** Grows with every opening: what was known about the device behind an older one is no longer known. */
  get generation(): number {
    return this.#generation;
  }

  /** Why it is not open, when it is not. */
  get lastFault(): DeviceError | undefined {
    return this.#lastFault;
  }

  onState(listener: (state: ConnectionState) => void): () => void {
    return this.#changed.add(listener);
  }

  /**
   * One attempt; with one under way, its end.
   *
   * @throws DeviceError `device_unavailable` with the transport's code as `reason`, or what the open sequence threw;
   *   nothing goes on in the background then
   */
  async open(): Promise<void> {
    if (this.#state !== 'closed') return this.ready(new AbortController().signal);
    const { signal } = this.#begin('opening');
    try {
      await this.#attempt(signal, { keepsSilentOpen: false });
    } catch (cause) {
      const fault = this.#asFault(cause);
      if (!signal.aborted) this.#end(fault);
      throw fault;
    }
  }

  /** Goes on trying until it is open, and after every loss; returns at once. */
  keepOpen(): void {
    if (this.#state === 'closed') void this.#retry(this.#begin('opening').signal, { at: 'once' });
  }

  /** No attempt, timer, listener or handle is left. It may be opened again. */
  async close(): Promise<void> {
    const attempting = this.#attempting;
    this.#trying?.abort(this.#notOpen());
    this.#end(undefined);
    await this.#transport.close();
    // An attempt that was opening the device just now closes it by itself.
    await attempting;
  }

  /** Closes the device now and opens it anew after the first back-off. */
  reopen(fault?: unknown): void {
    this.#leave('opening', fault);
  }

  /** The device went away, or failed in a way that only its return can mend. */
  lost(fault: unknown): void {
    this.#leave('absent', fault);
  }

  /**
   * Resolves when it is open and set up.
   *
   * @param urgent for what makes safe: an attempt is made now instead of after the back-off, also when it is absent
   * @throws DeviceError why it is not; nothing was sent. The signal's reason
   */
  async ready(signal: AbortSignal, urgent = false): Promise<void> {
    signal.throwIfAborted();
    let waits = this.#state === 'opening' || (urgent && this.#state === 'absent');
    while (waits) {
      const settled = this.#untilSettled(signal);
      if (urgent) {
        this.#isUrgent = true;
        this.#wake();
      }
      await settled;
      signal.throwIfAborted();
      waits = this.#state === 'opening';
    }
    if (this.#state !== 'open') throw this.#unavailable();
  }

  #untilSettled(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        leave();
        signal.removeEventListener('abort', done);
        resolve();
      };
      const leave = this.#settled.add(done);
      signal.addEventListener('abort', done, { once: true });
    });
  }

  #begin(state: 'absent' | 'opening'): AbortController {
    const controller = new AbortController();
    this.#trying = controller;
    this.#endListening();
    const gone = (cause: TransportError) => {
      this.#gone = cause;
      this.lost(cause);
    };
    this.#endListening = this.#transport.onClosed?.(gone) ?? (() => {});
    this.#become(state);
    return controller;
  }

  #leave(state: 'absent' | 'opening', fault: unknown): void {
    if (this.#state !== 'open') return;
    this.#lastFault = fault === undefined ? undefined : this.#asFault(fault);
    void this.#retry(this.#begin(state).signal, { at: 'after-back-off' });
  }

  async #retry(signal: AbortSignal, first: { at: 'once' | 'after-back-off' }): Promise<void> {
    const waits = backOff();
    if (first.at === 'after-back-off') {
      await this.#closeQuietly();
      await this.#pause(waits.next().value, signal);
    }
    while (!signal.aborted) {
      if (await this.#hasOpened(signal)) return;
      if (await this.#hasOpenedOnHearing(waits.next().value, signal)) return;
    }
  }

  /** One attempt; a failure is kept for the next caller to see, unless `close()` made it. */
  async #hasOpened(signal: AbortSignal): Promise<boolean> {
    try {
      await this.#attempt(signal, { keepsSilentOpen: true });
      return true;
    } catch (fault) {
      if (signal.aborted) return false;
      this.#lastFault = this.#asFault(fault);
      this.#become('absent');
      this.#settle();
      return false;
    }
  }

  /** The wait of the back-off. A device that was silent is listened to, and tried again whenever it is heard. */
  async #hasOpenedOnHearing(waitMs: number, signal: AbortSignal): Promise<boolean> {
    const endsAt = this.#clock.monotonic() + waitMs;
    const leftMs = () => Math.max(0, endsAt - this.#clock.monotonic());
    while (await this.#isHeard(leftMs(), signal)) if (await this.#hasOpened(signal)) return true;
    // From here on `close()` has closed the handle, and may have opened another one.
    if (signal.aborted) return false;
    await this.#closeQuietly();
    await this.#pause(leftMs(), signal);
    return false;
  }

  async #isHeard(withinMs: number, signal: AbortSignal): Promise<boolean> {
    const fault = this.#lastFault;
    if (signal.aborted || withinMs <= 0 || fault === undefined || !this.#isHandleKept(fault)) return false;
    const over = new AbortController();
    const end = () => over.abort(signal.reason);
    signal.addEventListener('abort', end, { once: true });
    const paused = this.#pause(withinMs, over.signal).then(end);
    const isHeard = await this.#listening?.untilHeard(over.signal).then(
      () => true,
      () => false,
    );
    end();
    await paused;
    signal.removeEventListener('abort', end);
    return isHeard === true && !signal.aborted;
  }

  #isHandleKept(fault: DeviceError): boolean {
    return this.#gone === undefined && this.#listening?.isSilence(fault) === true;
  }

  /** Attempts never overlap: the end of an old one must not close the handle of a new one. */
  #attempt(signal: AbortSignal, end: { keepsSilentOpen: boolean }): Promise<void> {
    const attempt = this.#attempting.then(() => this.#openAndSetUp(signal, end));
    this.#attempting = attempt.catch(() => {});
    return attempt;
  }

  async #openAndSetUp(signal: AbortSignal, end: { keepsSilentOpen: boolean }): Promise<void> {
    signal.throwIfAborted();
    this.#gone = undefined;
    try {
      await this.#transport.open();
      signal.throwIfAborted();
      await this.#setUp(signal);
      signal.throwIfAborted();
      if (this.#gone) throw this.#gone;
    } catch (fault) {
      // Who waits for the next attempt listens on this handle, and closes it.
      const isKept = end.keepsSilentOpen && !signal.aborted && this.#isHandleKept(this.#asFault(fault));
      if (!isKept) await this.#closeQuietly();
      throw fault;
    }
    this.#trying = undefined;
    this.#lastFault = undefined;
    this.#generation += 1;
    this.#become('open');
    this.#settle();
  }

  /** What is closed because it failed may fail to close as well; the next opening tells. */
  async #closeQuietly(): Promise<void> {
    await this.#transport.close().catch(() => {});
  }

  /** Ends early when the signal aborts or somebody is in a hurry. */
  #pause(ms: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted || this.#isUrgent) return Promise.resolve();
    return new Promise((resolve) => {
      const done = () => {
        cancel();
        signal.removeEventListener('abort', done);
        this.#wake = () => {};
        resolve();
      };
      const cancel = this.#clock.after(ms, done);
      signal.addEventListener('abort', done, { once: true });
      this.#wake = done;
    });
  }

  #end(fault: DeviceError | undefined): void {
    this.#trying = undefined;
    this.#endListening();
    this.#endListening = () => {};
    this.#lastFault = fault;
    this.#become('closed');
    this.#settle();
  }

  #settle(): void {
    this.#isUrgent = false;
    this.#settled.tell();
  }

  #become(state: ConnectionState): void {
    if (state === this.#state) return;
    this.#state = state;
    this.#changed.tell(state);
  }

  #asFault(cause: unknown): DeviceError {
    if (cause instanceof DeviceError) return cause;
    const reason = cause instanceof TransportError ? cause.code : 'open_failed';
    return this.#fail(messageOf(cause), { reason, cause });
  }

  /** The fault of an attempt, reported to a caller whose own command was never sent: it is not a time-out of that. */
  #unavailable(): DeviceError {
    const fault = this.#lastFault;
    if (fault === undefined) return this.#notOpen();
    if (fault.code !== 'device_timeout') return fault;
    const { device, reason } = fault;
    return this.#fail(fault.message, {
      reason: reason ?? 'no_reply',
      cause: fault,
      ...(device && { device }),
    });
  }

  #notOpen(): DeviceError {
    return this.#fail(`${this.#transport.address} is not open; open it first`, { reason: 'closed' });
  }

  #fail(message: string, details: DeviceErrorDetails): DeviceError {
    const endpoint = this.#transport.address;
    return new DeviceError('device_unavailable', message, { endpoint, ...details });
  }
}
