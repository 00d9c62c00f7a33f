import type { Clock } from '../../lib/clock/clock.ts';
import { messageOf } from '../../lib/errors/coded-error.ts';
import { Listeners } from '../../transports/listeners.ts';
import { TransportError } from '../../transports/transport-error.ts';
import type { UsbControl } from '../../transports/usb/usb-control.ts';
import { DeviceError } from '../device-error.ts';
import { backOff } from '../modbus-rtu/back-off.ts';

/** `reopening`: closed on purpose after a time-out. `absent`: gone, or could not be opened again. */
export type TicConnectionState = 'closed' | 'open' | 'reopening' | 'absent';

/** Longest wait between two attempts, so that a return is noticed within 5 s with the opening itself. */
const LONGEST_WAIT_MS = 4500;

/**
 * Keeps one USB device open. Each opening runs `prepare` before anybody else may use the device; a preparation that
 * fails is a failed opening.
 */
export class TicConnection {
  readonly #usb: UsbControl;
  readonly #clock: Clock;
  readonly #prepare: (signal: AbortSignal) => Promise<void>;
  readonly #changed = new Listeners<void>();
  #state: TicConnectionState = 'closed';
  #lastFault: unknown;
  #running: AbortController | undefined;
  /** Ends the present wait of the back-off. */
  #hurry = () => {};

  constructor(options: { usb: UsbControl; clock: Clock; prepare: (signal: AbortSignal) => Promise<void> }) {
    this.#usb = options.usb;
    this.#clock = options.clock;
    this.#prepare = options.prepare;
    this.#usb.onClosed((cause) => this.lost('absent', cause));
  }

  get state(): TicConnectionState {
    return this.#state;
  }

  /** @throws DeviceError of the preparation, or `device_unavailable`; nothing goes on in the background then */
  async open(): Promise<void> {
    if (this.#state !== 'closed' || this.#running) return;
    const controller = new AbortController();
    this.#running = controller;
    try {
      await this.#attempt(controller.signal);
    } catch (cause) {
      this.#lastFault = cause;
      await this.#usb.close();
      throw cause instanceof DeviceError ? cause : this.#unavailable();
    } finally {
      if (this.#running === controller) this.#running = undefined;
    }
  }

  async close(): Promise<void> {
    this.#running?.abort(new DeviceError('device_unavailable', `${this.#usb.address} was closed`));
    this.#running = undefined;
    this.#become('closed');
    await this.#usb.close();
  }

  /** Closes the handle now and opens it again after the back-off. */
  lost(state: 'reopening' | 'absent', cause: unknown): void {
    if (this.#state !== 'open') return;
    this.#lastFault = cause;
    const controller = new AbortController();
    this.#running = controller;
    this.#become(state);
    void this.#retry(controller.signal);
  }

  /**
   * Resolves when the device is open and prepared.
   *
   * @param urgent for what makes safe: an attempt to open is made now, also when the device is absent
   * @throws DeviceError `device_unavailable`; the signal's reason
   */
  async ready(signal: AbortSignal, urgent = false): Promise<void> {
    signal.throwIfAborted();
    let attempts = urgent && this.#state === 'absent' ? 1 : 0;
    while (this.#state === 'reopening' || (this.#state === 'absent' && attempts > 0)) {
      if (this.#state === 'absent') attempts -= 1;
      const next = this.#nextChange(signal);
      if (urgent) this.#hurry();
      await next;
      signal.throwIfAborted();
    }
    if (this.#state !== 'open') throw this.#unavailable();
  }

  #nextChange(signal: AbortSignal): Promise<void> {
    return new Promise<void>((resolve) => {
      const done = () => {
        leave();
        signal.removeEventListener('abort', done);
        resolve();
      };
      const leave = this.#changed.add(done);
      signal.addEventListener('abort', done, { once: true });
    });
  }

  async #attempt(signal: AbortSignal): Promise<void> {
    await this.#usb.open();
    signal.throwIfAborted();
    await this.#prepare(signal);
    signal.throwIfAborted();
    this.#lastFault = undefined;
    this.#become('open');
  }

  async #retry(signal: AbortSignal): Promise<void> {
    await this.#closeQuietly();
    for (const waitMs of backOff(200, LONGEST_WAIT_MS)) {
      await this.#pause(waitMs, signal);
      if (signal.aborted) return;
      try {
        await this.#attempt(signal);
        this.#running = undefined;
        return;
      } catch (cause) {
        await this.#closeQuietly();
        if (signal.aborted) return;
        this.#lastFault = cause;
        this.#become('absent');
      }
    }
  }

  /** What is closed because it failed may fail to close as well; the next opening tells. */
  async #closeQuietly(): Promise<void> {
    try {
      await this.#usb.close();
    } catch (cause) {
      this.#lastFault ??= cause;
    }
  }

  #pause(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        cancel();
        signal.removeEventListener('abort', done);
        this.#hurry = () => {};
        resolve();
      };
      const cancel = this.#clock.after(ms, done);
      signal.addEventListener('abort', done, { once: true });
      this.#hurry = done;
    });
  }

  /** Tells also when the state stays `absent`: an attempt has failed. */
  #become(state: TicConnectionState): void {
    this.#state = state;
    this.#changed.tell();
  }

  #unavailable(): DeviceError {
    const cause = this.#lastFault;
    if (cause instanceof DeviceError && cause.code !== 'device_timeout') return cause;
    const endpoint = this.#usb.address;
    const why = cause === undefined ? 'it is not open; open it first' : messageOf(cause);
    const reason = cause instanceof TransportError ? cause.code : 'closed';
    return new DeviceError('device_unavailable', `lung-motor on ${endpoint}: ${why}`, {
      device: 'lung-motor',
      endpoint,
      reason,
      cause,
    });
  }
}
