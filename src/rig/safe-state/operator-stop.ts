import type { Clock } from '../../lib/clock/clock.ts';
import { reasonOf } from '../../lib/errors/coded-error.ts';
import type { OperatorStop, OperatorStopRecord } from './operator-stop-record.ts';

/** Milliseconds between two attempts to record a stop. */
const RETRY_MS = 1000;
/** Longest that an answer waits for the disk; a stop is in force without it. */
const DISK_LIMIT_MS = 1000;
const LONGEST_NAME = 100;

/** Reasons that programs give for a safe state that is no operator's stop. */
const OF_PROGRAMS: ReadonlySet<string> = new Set(['run_ended', 'run_recovered', 'preparation']);

/**
 * Whether a safe state that somebody asked for stays until a person clears it. What nobody can account for does.
 * @param reason as given with the request; undefined for none
 * @param byHolder the request names the lease that is held
 */
export function latches(reason: string | undefined, byHolder: boolean): boolean {
  return reason === undefined ? !byHolder : !OF_PROGRAMS.has(reason);
}

export interface OperatorStopOptions {
  record: OperatorStopRecord;
  clock: Clock;
  log: (line: string) => void;
}

/**
 * The operator's stop: once set, nothing may be switched on until a person clears it (services specification, SVC-049). It
 * is in force at once, and on the disk as soon as the disk takes it.
 */
export class OperatorStopLatch {
  readonly #options: OperatorStopOptions;
  /** Set by this process, and not cleared since. */
  #own: OperatorStop | undefined;
  #isPersisted = true;
  /** The write under way; writes and removals follow one another. */
  #disk: Promise<void> = Promise.resolve();
  #cancelRetry = () => {};
  #isClosed = false;
  #hasFailed = false;

  constructor(options: OperatorStopOptions) {
    this.#options = options;
  }

  /** The stop in force; the record is read each time, since the guard, or a bridge before this one, may have made it. */
  get current(): OperatorStop | undefined {
    return this.#own ?? this.#options.record.read();
  }

  /** False while a stop in force would not survive a power cut. */
  get isPersisted(): boolean {
    return this.#isPersisted;
  }

  /** In force when it returns; recorded beside. @param by who, for people @param reason why, for people */
  set(by: string, reason: string): OperatorStop {
    const { clock, log } = this.#options;
    const stop = { by: plain(by), reason: plain(reason), at: new Date(clock.now()).toISOString() };
    this.#own = stop;
    this.#isPersisted = false;
    log(`operator stop by ${stop.by} (${stop.reason}): nothing is switched on until it is cleared`);
    this.#persist();
    return stop;
  }

  /** Waits for the disk, 1 s at most. @returns `isPersisted` */
  async recorded(): Promise<boolean> {
    let cancel = () => {};
    const late = new Promise<void>((resolve) => {
      cancel = this.#options.clock.after(DISK_LIMIT_MS, resolve);
    });
    await Promise.race([this.#disk, late]);
    cancel();
    return this.#isPersisted;
  }

  /**
   * Ends the stop when its record is gone. @returns the stop that was cleared; undefined when there was none
   * @throws Error when the record cannot be removed: the stop stays in force
   */
  async clear(by: string): Promise<OperatorStop | undefined> {
    const stop = this.current;
    if (!stop) return undefined;
    this.#cancelRetry();
    const removal = this.#disk.then(() => this.#options.record.remove());
    this.#disk = removal.catch(() => {});
    try {
      await removal;
    } catch (fault) {
      // It stays in force, so its record is still due.
      if (!this.#isPersisted) this.#persist();
      throw fault;
    }
    // One that came meanwhile is another, and is being recorded behind the removal.
    if (this.#own === stop || this.#own === undefined) {
      this.#own = undefined;
      this.#isPersisted = true;
    }
    this.#options.log(`the operator stop by ${stop.by} is cleared by ${plain(by)}`);
    return stop;
  }

  /** Writes no more. What is in force stays in force. */
  close(): void {
    this.#isClosed = true;
    this.#cancelRetry();
  }

  #persist(): void {
    this.#cancelRetry();
    const stop = this.#own;
    if (!stop) return;
    const { record, clock, log } = this.#options;
    this.#disk = this.#disk
      .then(() => record.write(stop))
      .then(
        () => {
          this.#hasFailed = false;
          if (this.#own === stop) this.#isPersisted = true;
        },
        (fault: unknown) => {
          if (this.#own !== stop || this.#isClosed) return;
          const why = `the operator stop cannot be recorded: ${reasonOf(fault)}`;
          if (!this.#hasFailed) log(`${why}; it is in force, and the record is retried each second`);
          this.#hasFailed = true;
          this.#cancelRetry = clock.after(RETRY_MS, () => this.#persist());
        },
      );
  }
}

/** One line without control characters. */
function plain(text: string): string {
  const line = text.replace(/\p{C}+/gu, ' ').trim();
  return line === '' ? 'unknown' : line.slice(0, LONGEST_NAME);
}
