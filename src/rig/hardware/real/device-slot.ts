import type { Clock } from '../../../lib/clock/clock.ts';
import type { PluginId } from '../../../lib/config/types.ts';
import { CodedError, messageOf } from '../../../lib/errors/coded-error.ts';
import { acquireLock, type Lock, LockHeldError, type LockHolder } from '../../../lib/lock/lock.ts';
import { asRigError, RigError } from '../rig-error.ts';

/** An opened driver and how to let go of it. */
export interface Opened<T> {
  driver: T;
  close(): Promise<void>;
}

export interface DeviceSlotOptions<T> {
  device: PluginId;
  /** Lock keys of the device as it is reachable now; asked before each opening, since real paths change at a plug. */
  lockKeys: () => string[];
  identity: () => LockHolder;
  clock: Clock;
  open: (signal: AbortSignal) => Promise<Opened<T>>;
  /** The device was opened; not called for the first opening of `start`. */
  onReturn: () => void;
}

export type SlotState = 'closed' | 'ready' | 'absent' | 'held';

const FIRST_RETRY_MS = 200;
const LAST_RETRY_MS = 5000;
const HELD_RETRY_MS = 5000;

/**
 * The place of one physical device: lock first, then the driver, and again with back-off whenever it is lost. The lock
 * stays from the first opening to `close`, also while the device is absent (services specification, section 6).
 */
export class DeviceSlot<T> {
  readonly #options: DeviceSlotOptions<T>;
  readonly #locks = new Map<string, Lock>();
  readonly #closing = new AbortController();
  #opened: Opened<T> | undefined;
  #attempt: Promise<T> | undefined;
  #error: unknown;
  #retryMs = FIRST_RETRY_MS;
  #cancelRetry = () => {};
  #started = false;

  constructor(options: DeviceSlotOptions<T>) {
    this.#options = options;
  }

  get state(): SlotState {
    if (this.#opened) return 'ready';
    if (this.#error === undefined) return 'closed';
    return this.#error instanceof LockHeldError ? 'held' : 'absent';
  }

  /** Why the device is not ready; undefined when it is. */
  get error(): unknown {
    return this.#opened ? undefined : this.#error;
  }

  /** First attempt; resolves whatever it gave. */
  async start(): Promise<void> {
    await this.ensure().catch(() => {});
    this.#started = true;
  }

  /** The driver, opening the device now if need be; joins an attempt under way. @throws RigError, LockHeldError */
  ensure(): Promise<T> {
    if (this.#opened) return Promise.resolve(this.#opened.driver);
    this.#attempt ??= this.#open().finally(() => {
      this.#attempt = undefined;
    });
    return this.#attempt;
  }

  /** Runs a task on the open driver. A device that is not there fails at once. @throws RigError, LockHeldError */
  async use<R>(task: (driver: T) => Promise<R>): Promise<R> {
    if (!this.#opened) throw this.#notReady();
    return this.#guarded(this.#opened, task);
  }

  /** Like `use`, but opens the device first: for the safe state and for probes. */
  async useNow<R>(task: (driver: T) => Promise<R>): Promise<R> {
    await this.ensure();
    return this.use(task);
  }

  async close(): Promise<void> {
    this.#closing.abort(
      new RigError('device_unavailable', this.#options.device, 'the service is shutting down'),
    );
    this.#cancelRetry();
    await this.#attempt?.catch(() => {});
    await this.#letGo();
    for (const lock of this.#locks.values()) await lock.release();
    this.#locks.clear();
  }

  async #guarded<R>(opened: Opened<T>, task: (driver: T) => Promise<R>): Promise<R> {
    try {
      return await task(opened.driver);
    } catch (thrown) {
      const error = asRigError(thrown, this.#options.device);
      const lost = error instanceof CodedError && error.code === 'device_unavailable';
      if (lost && this.#opened === opened) {
        this.#error = error;
        await this.#letGo();
        this.#scheduleRetry();
      }
      throw error;
    }
  }

  async #open(): Promise<T> {
    this.#cancelRetry();
    try {
      this.#closing.signal.throwIfAborted();
      await this.#takeLocks();
      this.#opened = await this.#options.open(this.#closing.signal);
    } catch (thrown) {
      this.#error = asRigError(thrown, this.#options.device);
      this.#scheduleRetry();
      throw this.#error;
    }
    this.#retryMs = FIRST_RETRY_MS;
    if (this.#started) this.#options.onReturn();
    return this.#opened.driver;
  }

  async #takeLocks(): Promise<void> {
    const { clock, identity, lockKeys } = this.#options;
    for (const key of lockKeys()) {
      if (!this.#locks.has(key)) this.#locks.set(key, await acquireLock({ key, identity, clock }));
    }
  }

  #scheduleRetry(): void {
    if (this.#closing.signal.aborted) return;
    const held = this.#error instanceof LockHeldError;
    const delayMs = held ? HELD_RETRY_MS : this.#retryMs;
    if (!held) this.#retryMs = Math.min(this.#retryMs * 2, LAST_RETRY_MS);
    this.#cancelRetry();
    this.#cancelRetry = this.#options.clock.after(delayMs, () => {
      this.ensure().catch(() => {});
    });
  }

  async #letGo(): Promise<void> {
    const opened = this.#opened;
    this.#opened = undefined;
    await opened?.close().catch(() => {});
  }

  #notReady(): unknown {
    if (this.#error instanceof LockHeldError) return this.#error;
    const why = this.#error === undefined ? 'not opened yet' : messageOf(this.#error);
    const prefix = `${this.#options.device}: `;
    const text = why.startsWith(prefix) ? why.slice(prefix.length) : why;
    const message = `${text}; it is opened again as soon as it answers`;
    return new RigError('device_unavailable', this.#options.device, message, this.#error);
  }
}
