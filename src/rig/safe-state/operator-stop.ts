import { randomBytes } from 'node:crypto';
import { bounded, endOrTime } from '../../lib/clock/bounded.ts';
import type { Clock } from '../../lib/clock/clock.ts';
import { reasonOf } from '../../lib/errors/reason.ts';
import type { JsonLine } from '../../lib/liveness/json-lines.ts';
import {
  type OperatorStop,
  type OperatorStopRecord,
  operatorStopOf,
  plain,
  UNREADABLE,
} from './operator-stop-record.ts';

/** Milliseconds between two attempts to record a stop. */
const RETRY_MS = 1000;
/** Longest that an answer waits for the disk; a stop is in force without it. */
const DISK_LIMIT_MS = 1000;
/**
 * Longest that a clear waits for the disk; shorter than the deadline of its request, so that the caller gets the answer.
 */
const CLEAR_LIMIT_MS = 5000;
/** Whoever asks several processes for one stop has its last answer by then; after that its id stands for a new stop. */
const LATE_MS = 60_000;

/** Reasons that programs give for a safe state that is no operator's stop. */
const OF_PROGRAMS: ReadonlySet<string> = new Set(['run_ended', 'run_recovered', 'preparation']);

/**
 * Whether a requested safe state stays until a person clears it. One of unknown origin does.
 * @param reason as given with the request; undefined for none
 * @param byHolder the request names the lease that is held
 */
export function latches(reason: string | undefined, byHolder: boolean): boolean {
  return reason === undefined ? !byHolder : !OF_PROGRAMS.has(reason);
}

/** Who asks for a stop. */
export interface StopRequest {
  /** For people. */
  by: string;
  /** The same wherever this one stop is asked for; without it, each request is a stop of its own. */
  id?: string | undefined;
}

/** The id that a request gives; what cannot be one counts as none. */
export const stopIdOf = (text: string | null): string | undefined =>
  text !== null && /^[\w-]{1,64}$/.test(text) ? text : undefined;

/** For people, who type it. */
export const newStopId = (): string => randomBytes(4).toString('hex');

/** Where the bridge takes it, by POST. */
export function operatorStopPath({ by, id }: StopRequest): string {
  const asked = new URLSearchParams({ reason: 'operator', by, ...(id === undefined ? {} : { id }) });
  return `/api/v1/hardware/safe-state?${asked}`;
}

/** What the processes of a rig report to each other: the stop in force, and one that is over. */
export interface StopNotice extends JsonLine {
  operator_stop: OperatorStop | null;
  /** Id of a stop that was cleared or replaced. */
  operator_stop_over?: string;
}

export interface OperatorStopOptions {
  record: OperatorStopRecord;
  clock: Clock;
  /** Id of a stop that was asked for without one. */
  randomId: () => string;
  log: (line: string) => void;
}

/**
 * The operator's stop: once set, nothing may be switched on until a person clears it (SVC-049). It
 * is in force at once, and on the disk as soon as the disk takes it. The bridge and its guards each have a latch and
 * report every change to each other, so that a stop that cannot be recorded outlives the process that made it.
 */
export class OperatorStopLatch {
  readonly #options: OperatorStopOptions;
  readonly #listeners: ((notice: StopNotice) => void)[] = [];
  /** Set by this process or reported to it, and not cleared since. */
  #own: OperatorStop | undefined;
  #isPersisted = true;
  /** The write under way; writes and removals follow one another. */
  #disk: Promise<void> = Promise.resolve();
  /** Id of the stop that is being written. */
  #writing: string | undefined;
  #cancelRetry = () => {};
  #isClosed = false;
  #hasFailed = false;
  /** Stops that are over, by id, and since when: monotonic milliseconds. */
  readonly #over = new Map<string, number>();

  constructor(options: OperatorStopOptions) {
    this.#options = options;
  }

  /**
   * The stop in force; the record is read each time, since the guard, or a bridge before this one, may have made it.
   */
  get current(): OperatorStop | undefined {
    if (this.#own) return this.#own;
    const recorded = this.#options.record.read();
    // A guard with a slow disk may have recorded it behind the clear.
    return recorded && recorded.id !== UNREADABLE && this.#isOver(recorded.id) ? undefined : recorded;
  }

  /** False while a stop in force would not survive a power cut. Another process of the rig may have recorded it. */
  get isPersisted(): boolean {
    return this.#isPersisted || (!this.#hasFailed && this.#options.record.read()?.id === this.#own?.id);
  }

  get notice(): StopNotice {
    return { operator_stop: this.current ?? null };
  }

  /** @param listener called with every change */
  onNotice(listener: (notice: StopNotice) => void): void {
    this.#listeners.push(listener);
  }

  /**
   * In force when it returns; recorded beside. A late request for a stop that is in force or over makes no new one.
   * @param reason why, for people @returns the stop in force
   */
  set({ by, id = this.#options.randomId() }: StopRequest, reason: string): OperatorStop | undefined {
    const { clock, log } = this.#options;
    if (this.#isOver(id)) return this.current;
    if (this.current?.id === id) {
      // Heard of only until now: who reported it may be gone before it is on the disk.
      if (!this.isPersisted && this.#writing !== id) this.#persist();
      return this.current;
    }
    const stop = { id, by: plain(by), reason: plain(reason), at: new Date(clock.now()).toISOString() };
    log(`operator stop by ${stop.by} (${stop.reason}): nothing is switched on until it is cleared`);
    this.#take(stop);
    this.#persist();
    return stop;
  }

  /** The guard's part: what the bridge, or the other guard, reports. Its own attempts to record it go on. */
  hear({ operator_stop, operator_stop_over: over }: JsonLine): void {
    if (typeof over === 'string') this.#end(over);
    const stop = operatorStopOf(operator_stop);
    // Another one than its own is decided by the bridge, which gets that offered.
    if (stop && !this.#own && !this.#isOver(stop.id)) this.#take(stop);
  }

  /**
   * The bridge's part: takes over a stop that a guard holds, and records it.
   * @returns whether it is new here. @param answer told what the guard has to know where it is over
   */
  takeOver(stop: OperatorStop, answer: (notice: StopNotice) => void): boolean {
    if (this.#isOver(stop.id)) answer({ ...this.notice, operator_stop_over: stop.id });
    if (this.#isOver(stop.id) || this.current?.id === stop.id) return false;
    this.#options.log(`operator stop by ${stop.by} (${stop.reason}) at ${stop.at}: handed over by the guard`);
    this.#take(stop);
    this.#persist();
    return true;
  }

  /** Waits for the disk, 1 s at most. @returns `isPersisted` */
  async recorded(): Promise<boolean> {
    await endOrTime(this.#disk, this.#options.clock, DISK_LIMIT_MS);
    return this.isPersisted;
  }

  /**
   * Ends the stop when its record is gone. @returns the stop that was cleared; undefined when there was none
   * @throws Error when the record cannot be removed within 5 s: the stop stays in force, and is recorded again
   * behind what   the disk does later
   */
  async clear(by: string): Promise<OperatorStop | undefined> {
    const stop = this.current;
    if (!stop) return undefined;
    this.#cancelRetry();
    // In force without its record, which may be gone although that cannot be verified.
    this.#own ??= stop;
    const removal = this.#disk.then(() => this.#options.record.remove());
    this.#disk = removal.catch(() => {});
    const late = () => new Error(`the disk has not answered within ${CLEAR_LIMIT_MS / 1000} s`);
    try {
      await bounded(() => removal, { clock: this.#options.clock, limitMs: CLEAR_LIMIT_MS, late });
    } catch (fault) {
      this.#isPersisted = false;
      this.#persist();
      throw fault;
    }
    this.#options.log(`the operator stop by ${stop.by} is cleared by ${plain(by)}`);
    // One that came meanwhile is another, and is being recorded behind the removal.
    this.#end(stop.id);
    return stop;
  }

  /** Writes no more. What is in force stays in force. */
  close(): void {
    this.#isClosed = true;
    this.#cancelRetry();
  }

  #take(stop: OperatorStop): void {
    const before = this.current?.id === stop.id ? undefined : this.current;
    this.#own = stop;
    this.#isPersisted = false;
    this.#hasFailed = false;
    if (before) this.#over.set(before.id, this.#options.clock.monotonic());
    this.#tell({ operator_stop: stop, ...(before ? { operator_stop_over: before.id } : {}) });
  }

  #end(id: string): void {
    const { clock, record } = this.#options;
    for (const [one, since] of this.#over) if (clock.monotonic() - since > LATE_MS) this.#over.delete(one);
    this.#over.set(id, clock.monotonic());
    if (this.#own?.id === id) {
      this.#cancelRetry();
      this.#own = undefined;
      this.#isPersisted = true;
    }
    const isStale = () => this.#own === undefined && record.read()?.id === id;
    if (this.#writing === id)
      this.#disk = this.#disk.then(() => (isStale() ? record.remove() : undefined)).catch(() => {});
    this.#tell({ ...this.notice, operator_stop_over: id });
  }

  #isOver(id: string): boolean {
    const since = this.#over.get(id);
    return since !== undefined && this.#options.clock.monotonic() - since <= LATE_MS;
  }

  #tell(notice: StopNotice): void {
    for (const listener of this.#listeners) listener(notice);
  }

  #persist(): void {
    this.#cancelRetry();
    const stop = this.#own;
    if (stop) this.#disk = this.#disk.then(() => this.#write(stop));
  }

  async #write(stop: OperatorStop): Promise<void> {
    const { record, clock, log } = this.#options;
    // Cleared or replaced meanwhile, or recorded by the bridge.
    if (this.#own?.id !== stop.id) return;
    this.#writing = stop.id;
    try {
      await record.write(stop);
      this.#hasFailed = false;
      if (this.#own?.id === stop.id) this.#isPersisted = true;
    } catch (fault) {
      if (this.#own?.id !== stop.id || this.#isClosed) return;
      const why = `the operator stop cannot be recorded: ${reasonOf(fault)}`;
      if (!this.#hasFailed) log(`${why}; it is tried again each second as long as this process runs`);
      this.#hasFailed = true;
      this.#cancelRetry = clock.after(RETRY_MS, () => this.#persist());
    } finally {
      this.#writing = undefined;
    }
  }
}
