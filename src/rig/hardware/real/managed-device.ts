import type { Clock } from '../../../lib/clock/clock.ts';
import { CodedError } from '../../../lib/errors/coded-error.ts';
import {
  acquireLock,
  type Lock,
  LockHeldError,
  type LockHolder,
  type LockOptions,
} from '../../../lib/lock/lock.ts';
import { asRigError, RigError, withoutName } from '../rig-error.ts';

/** An open port with the driver of the device behind it. */
export interface Opened<T> {
  driver: T;
  /** Identifies the device and brings it to rest; once per opening. */
  start(): Promise<void>;
  /** Asks whether it answers, without moving anything: after it fell silent. */
  probe(): Promise<unknown>;
  close(): Promise<void>;
  /** What is wrong with the port and does not stop it from being used, for people. */
  warnings?: (() => Promise<string[]>) | undefined;
}

/** The same before its port is known. */
export type Driven<T> = Omit<Opened<T>, 'close'>;

export interface DeviceSlotOptions<T> {
  device: string;
  /** Lock keys of the device as it is reachable now; asked before each opening, since real paths change at a plug. */
  lockKeys: () => string[];
  identity: () => LockHolder;
  clock: Clock;
  /** Takes one lock. Default: for this device alone. */
  takeLock?: ((options: LockOptions) => Promise<Lock>) | undefined;
  /** Opens the port. @param onLost to be called when the port goes away on its own */
  open: (onLost: (cause: unknown) => void) => Promise<Opened<T>>;
  /** The device answers again after it was absent, held or silent. */
  onReturn: () => void;
}

/** `silent`: the port is open, but the device does not answer as it should. */
export type SlotState = 'closed' | 'ready' | 'silent' | 'absent' | 'held';

const FIRST_RETRY_MS = 200;
const LAST_RETRY_MS = 5000;
const HELD_RETRY_MS = 5000;
/** The guard gives a device back as soon as it is safe. */
const HELD_BY_GUARD_RETRY_MS = 250;

/** After these a device has to be asked anew who it is and how it stands. */
const SILENT_CODES = new Set(['device_timeout', 'corrupt_response', 'wrong_device']);

/**
 * The place of one physical device: lock first, then the port, then the device; and again with back-off whenever one of
 * them is lost. The lock stays from the first opening to `close`, also while the device is absent.
 */
export class ManagedDevice<T> {
  readonly #options: DeviceSlotOptions<T>;
  readonly #locks = new Map<string, Lock>();
  readonly #startedOnes = new WeakSet<Opened<T>>();
  #closed = false;
  #opened: Opened<T> | undefined;
  #attempt: Promise<T> | undefined;
  #error: unknown;
  #retryMs = FIRST_RETRY_MS;
  #cancelRetry = () => {};

  constructor(options: DeviceSlotOptions<T>) {
    this.#options = options;
  }

  get state(): SlotState {
    if (this.#opened) return this.#error === undefined ? 'ready' : 'silent';
    if (this.#error === undefined) return 'closed';
    return this.#error instanceof LockHeldError ? 'held' : 'absent';
  }

  /** What is wrong now; undefined when nothing is known to be. */
  get error(): unknown {
    return this.#error;
  }

  /** What is wrong with the open port and does not stop it from being used, for people. */
  async warnings(): Promise<string[]> {
    return (await this.#opened?.warnings?.()) ?? [];
  }

  /** Opens and identifies once; resolves whatever came of it, and goes on trying. */
  async start(): Promise<void> {
    await this.ensure().catch(() => {});
    if (this.#opened) await this.#identify();
  }

  /**
   * The driver on an open port, opening it now if need be; joins an attempt under way. @throws RigError, LockHeldError
   */
  ensure(): Promise<T> {
    if (this.#opened) return Promise.resolve(this.#opened.driver);
    this.#attempt ??= this.#open().finally(() => {
      this.#attempt = undefined;
    });
    return this.#attempt;
  }

  /** Runs a task on the open port. One that is not open fails at once. @throws RigError, LockHeldError */
  async use<R>(task: (driver: T) => Promise<R>): Promise<R> {
    const opened = this.#opened;
    if (!opened) throw this.#notReady();
    try {
      const result = await task(opened.driver);
      if (this.#opened === opened) this.#good();
      return result;
    } catch (thrown) {
      const error = asRigError(thrown, this.#options.device);
      if (this.#opened === opened) this.#bad(error);
      throw error;
    }
  }

  /** Like `use`, but opens the port first: for the safe state and for probes. */
  async useNow<R>(task: (driver: T) => Promise<R>): Promise<R> {
    await this.ensure();
    return this.use(task);
  }

  /** Someone gave up on the open device: it is asked again until it answers. */
  doubt(cause: unknown): void {
    if (!this.#opened || this.#error !== undefined) return;
    this.#error = cause;
    this.#scheduleRetry();
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#cancelRetry();
    await this.#attempt?.catch(() => {});
    await this.#letGo();
    for (const lock of this.#locks.values()) await lock.release();
    this.#locks.clear();
  }

  async #open(): Promise<T> {
    this.#cancelRetry();
    try {
      if (this.#closed)
        throw new RigError('device_unavailable', this.#options.device, 'the service is shutting down');
      await this.#takeLocks();
      const opened = await this.#options.open((cause) => {
        if (this.#opened === opened) this.#lost(asRigError(cause, this.#options.device));
      });
      this.#opened = opened;
      // Still in doubt until it has said who it is; a retry that finds it well clears that.
      if (this.#error !== undefined) this.#scheduleRetry();
      return opened.driver;
    } catch (thrown) {
      this.#error = asRigError(thrown, this.#options.device);
      this.#scheduleRetry();
      throw this.#error;
    }
  }

  async #identify(): Promise<void> {
    const opened = this.#opened;
    if (!opened) return;
    const ask = async () => {
      if (this.#startedOnes.has(opened)) await opened.probe();
      else await opened.start();
      this.#startedOnes.add(opened);
    };
    await this.use(ask).catch(() => {});
  }

  async #takeLocks(): Promise<void> {
    const { clock, identity, lockKeys, takeLock = acquireLock } = this.#options;
    for (const key of lockKeys()) {
      if (!this.#locks.has(key)) this.#locks.set(key, await takeLock({ key, identity, clock }));
    }
  }

  #good(): void {
    this.#retryMs = FIRST_RETRY_MS;
    if (this.#error === undefined) return;
    this.#error = undefined;
    this.#cancelRetry();
    this.#options.onReturn();
  }

  #bad(error: unknown): void {
    if (!(error instanceof CodedError)) return;
    if (error.code === 'device_unavailable') this.#lost(error);
    else if (SILENT_CODES.has(error.code)) {
      this.#error = error;
      this.#scheduleRetry();
    }
  }

  #lost(error: unknown): void {
    this.#error = error;
    void this.#letGo();
    this.#scheduleRetry();
  }

  #scheduleRetry(): void {
    if (this.#closed) return;
    const held = this.#error instanceof LockHeldError;
    const delayMs = held ? heldRetryMs(this.#error) : this.#retryMs;
    if (!held) this.#retryMs = Math.min(this.#retryMs * 2, LAST_RETRY_MS);
    this.#cancelRetry();
    this.#cancelRetry = this.#options.clock.after(delayMs, () => void this.start());
  }

  async #letGo(): Promise<void> {
    const opened = this.#opened;
    this.#opened = undefined;
    await opened?.close().catch(() => {});
  }

  #notReady(): unknown {
    if (this.#error instanceof LockHeldError) return this.#error;
    const { device } = this.#options;
    const why = this.#error === undefined ? 'not opened yet' : withoutName(device, this.#error);
    const message = `${why}; it is opened again as soon as it answers`;
    return new RigError('device_unavailable', device, message, this.#error);
  }
}

const heldRetryMs = (error: unknown): number =>
  error instanceof LockHeldError && error.holder?.service === 'svc-guard'
    ? HELD_BY_GUARD_RETRY_MS
    : HELD_RETRY_MS;
