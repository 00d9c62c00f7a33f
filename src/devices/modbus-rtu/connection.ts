import type { Clock } from '../../lib/clock/clock.ts';
import { messageOf } from '../../lib/errors/coded-error.ts';
import type { ByteTransport } from '../../transports/byte-transport.ts';
import { Listeners } from '../../transports/listeners.ts';
import { TransportError } from '../../transports/transport-error.ts';
import { DeviceError } from '../device-error.ts';
import { backOff } from './back-off.ts';

/** `reopening`: closed on purpose after a time-out. `absent`: the port is gone or could not be opened again. */
export type LineState = 'closed' | 'open' | 'reopening' | 'absent';

/** Keeps one port open: opens it again after a time-out, and after it went away for as long as it takes. */
export class Connection {
  readonly #transport: ByteTransport;
  readonly #clock: Clock;
  readonly #changed = new Listeners<LineState>();
  #state: LineState = 'closed';
  #generation = 0;
  #lastFault: unknown;
  #retrying: AbortController | undefined;

  constructor(options: { transport: ByteTransport; clock: Clock }) {
    this.#transport = options.transport;
    this.#clock = options.clock;
    this.#transport.onClosed((cause) => {
      if (this.#state !== 'open') return;
      this.#lastFault = cause;
      this.#keepTrying('absent');
    });
  }

  get state(): LineState {
    return this.#state;
  }

  /** Grows with every opening: what was known about the device behind an older one is no longer known. */
  get generation(): number {
    return this.#generation;
  }

  onState(listener: (state: LineState) => void): () => void {
    return this.#changed.add(listener);
  }

  /** @throws DeviceError `device_unavailable`; nothing goes on in the background then */
  async open(): Promise<void> {
    if (this.#state !== 'closed') return;
    try {
      await this.#transport.open();
    } catch (cause) {
      this.#lastFault = cause;
      throw this.#unavailable();
    }
    this.#opened();
  }

  async close(): Promise<void> {
    this.#retrying?.abort();
    this.#retrying = undefined;
    this.#become('closed');
    await this.#transport.close();
  }

  /** Closes the port now and opens it again after the first back-off. */
  reopen(): void {
    if (this.#state === 'open') this.#keepTrying('reopening');
  }

  /** Resolves when the port is open. @throws DeviceError `device_unavailable`; the signal's reason */
  async ready(signal: AbortSignal): Promise<void> {
    while (this.#state === 'reopening') {
      signal.throwIfAborted();
      await new Promise<void>((resolve) => {
        const done = () => {
          leave();
          signal.removeEventListener('abort', done);
          resolve();
        };
        const leave = this.#changed.add(done);
        signal.addEventListener('abort', done, { once: true });
      });
    }
    signal.throwIfAborted();
    if (this.#state !== 'open') throw this.#unavailable();
  }

  #keepTrying(state: 'absent' | 'reopening'): void {
    const controller = new AbortController();
    this.#retrying = controller;
    this.#become(state);
    void this.#retry(controller.signal);
  }

  async #retry(signal: AbortSignal): Promise<void> {
    try {
      await this.#transport.close();
      for (const waitMs of backOff()) {
        await this.#clock.sleep(waitMs, signal);
        try {
          await this.#transport.open();
        } catch (cause) {
          this.#lastFault = cause;
          signal.throwIfAborted();
          this.#become('absent');
          continue;
        }
        if (signal.aborted) {
          await this.#transport.close();
          return;
        }
        this.#retrying = undefined;
        this.#opened();
        return;
      }
    } catch (fault) {
      // The signal's own end is the one expected here; anything else is kept for the next caller to see.
      if (!signal.aborted) {
        this.#lastFault = fault;
        this.#become('absent');
      }
    }
  }

  #opened(): void {
    this.#generation += 1;
    this.#lastFault = undefined;
    this.#become('open');
  }

  #become(state: LineState): void {
    if (state === this.#state) return;
    this.#state = state;
    this.#changed.tell(state);
  }

  #unavailable(): DeviceError {
    const endpoint = this.#transport.address;
    const cause = this.#lastFault;
    const why = cause === undefined ? `${endpoint} is not open; open it first` : messageOf(cause);
    const reason = cause instanceof TransportError ? cause.code : 'closed';
    return new DeviceError('device_unavailable', why, { endpoint, reason, cause });
  }
}
