import type { Clock } from '../../lib/clock/clock.ts';
import { messageOf } from '../../lib/errors/coded-error.ts';
import { Listeners } from '../../transports/listeners.ts';
import { TransportError } from '../../transports/transport-error.ts';
import { DeviceError } from '../device-error.ts';
import { backOff } from '../modbus-rtu/back-off.ts';

/**
 * `opening`: being opened, or opened anew after a time-out; work waits for it. `absent`: it could not be opened; work
 * fails at once, and it is tried again in the background.
 */
export type ConnectionState = 'closed' | 'opening' | 'open' | 'absent';

/** What is kept open: the transport of either backend. */
export interface Openable {
  readonly address: string;
  open(): Promise<void>;
  close(): Promise<void>;
}

/** Keeps one device open and set up: `open` is told only when the whole open sequence has passed. */
export class Connection {
  readonly #transport: Openable;
  readonly #clock: Clock;
  readonly #setUp: (signal: AbortSignal) => Promise<void>;
  readonly #changed = new Listeners<ConnectionState>();
  #state: ConnectionState = 'closed';
  #generation = 0;
  #lastFault: DeviceError | undefined;
  #trying: AbortController | undefined;
  #attempting: Promise<void> = Promise.resolve();

  /** @param options.setUp the open sequence behind `transport.open()` */
  constructor(options: {
    transport: Openable;
    clock: Clock;
    setUp: (signal: AbortSignal) => Promise<void>;
  }) {
    this.#transport = options.transport;
    this.#clock = options.clock;
    this.#setUp = options.setUp;
  }

  get state(): ConnectionState {
    return this.#state;
  }

  /** Grows with every opening. */
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
   * @throws DeviceError of the transport or the open sequence; nothing goes on in the background then
   */
  async open(): Promise<void> {
    if (this.#state !== 'closed') {
      await this.ready(new AbortController().signal);
      return;
    }
    const { signal } = this.#begin('opening');
    try {
      await this.#attempt(signal);
    } catch (fault) {
      if (!signal.aborted) await this.close();
      this.#lastFault = this.#asFault(fault);
      throw this.#lastFault;
    }
  }

  /** Goes on trying until it is open, and after every loss; returns at once. */
  keepOpen(): void {
    if (this.#state === 'closed') void this.#retry(this.#begin('opening').signal, { at: 'once' });
  }

  /** No attempt, timer or handle is left. It may be opened again. */
  async close(): Promise<void> {
    this.#trying?.abort(this.#notOpen());
    this.#trying = undefined;
    this.#lastFault = undefined;
    this.#become('closed');
    await this.#transport.close();
    // An attempt that was opening the device just now closes it by itself; it must not close the next opening.
    await this.#attempting;
  }

  /** Closes the device now and opens it anew after the first back-off. */
  reopen(fault: unknown): void {
    this.#leave('opening', fault);
  }

  /** The device went away, or failed in a way that only its return can mend. */
  lost(fault: unknown): void {
    this.#leave('absent', fault);
  }

  /** Resolves when it is open. @throws DeviceError why it cannot be; the signal's reason */
  async ready(signal: AbortSignal): Promise<void> {
    while (this.#state === 'opening') {
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
    if (this.#state !== 'open') throw this.#lastFault ?? this.#notOpen();
  }

  #leave(state: 'absent' | 'opening', fault: unknown): void {
    if (this.#state !== 'open') return;
    this.#lastFault = this.#asFault(fault);
    void this.#retry(this.#begin(state).signal, { at: 'after-back-off' });
  }

  #begin(state: 'absent' | 'opening'): AbortController {
    const controller = new AbortController();
    this.#trying = controller;
    this.#become(state);
    return controller;
  }

  async #retry(signal: AbortSignal, first: { at: 'once' | 'after-back-off' }): Promise<void> {
    let waits = first.at === 'after-back-off';
    for (const waitMs of backOff()) {
      try {
        if (waits) {
          await this.#transport.close();
          await this.#clock.sleep(waitMs, signal);
        }
        waits = true;
        await this.#attempt(signal);
        return;
      } catch (fault) {
        // The end that `close()` makes is the one expected; every other is kept for the next caller to see.
        if (signal.aborted) return;
        this.#lastFault = this.#asFault(fault);
        this.#become('absent');
      }
    }
  }

  #attempt(signal: AbortSignal): Promise<void> {
    const attempt = this.#openAndSetUp(signal);
    this.#attempting = attempt.catch(() => {});
    return attempt;
  }

  async #openAndSetUp(signal: AbortSignal): Promise<void> {
    await this.#transport.open();
    try {
      signal.throwIfAborted();
      await this.#setUp(signal);
      signal.throwIfAborted();
    } catch (fault) {
      await this.#transport.close();
      throw fault;
    }
    this.#trying = undefined;
    this.#lastFault = undefined;
    this.#generation += 1;
    this.#become('open');
  }

  #become(state: ConnectionState): void {
    if (state === this.#state) return;
    this.#state = state;
    this.#changed.tell(state);
  }

  #asFault(cause: unknown): DeviceError {
    if (cause instanceof DeviceError) return cause;
    const reason = cause instanceof TransportError ? cause.code : 'open_failed';
    const endpoint = this.#transport.address;
    return new DeviceError('device_unavailable', messageOf(cause), { endpoint, reason, cause });
  }

  #notOpen(): DeviceError {
    const endpoint = this.#transport.address;
    const message = `${endpoint} is not open; open it first`;
    return new DeviceError('device_unavailable', message, { endpoint, reason: 'closed' });
  }
}
