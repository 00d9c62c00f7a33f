import type { Clock } from '../clock/clock.ts';
import { Fifo } from '../queue/fifo.ts';

/**
 * Who goes first. `stop`: a request that makes the rig safe, from this machine. `control`: any other command from this
 * machine, for example the renewal of a lease. `read`: everything else.
 */
export type Priority = 'stop' | 'control' | 'read';

/**
 * Work of one pass of the event loop, milliseconds; what is left then waits for the next one. A driver that gets to its line
 * some milliseconds late cannot determine when a reply came (devices/modbus-rtu/rtu-exchanger.ts).
 */
const TURN_MS = 2;
/** Kept for stops, milliseconds, when the rest is used up. */
const STOP_RESERVE_MS = 1;

/**
 * Shares the event loop between requests and everything else of the process: after a few milliseconds of work on requests
 * the loop is given back, so that timers, heartbeats and devices have their turn however many requests wait. Work of one
 * piece should take well below a millisecond; it cannot be interrupted.
 */
export class EventLoopTurns {
  readonly #clock: Clock;
  readonly #waiting: Readonly<Record<Priority, Fifo<() => void>>> = {
    stop: new Fifo(),
    control: new Fifo(),
    read: new Fifo(),
  };
  #usedMs = 0;
  #startedAt: number | undefined;
  #isScheduled = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Whether a piece of work that could go on should leave the rest for later. */
  get isOver(): boolean {
    const runningMs = this.#startedAt === undefined ? 0 : this.#clock.monotonic() - this.#startedAt;
    return this.#usedMs + runningMs >= TURN_MS;
  }

  /** Runs `work` now, or in its order when this turn is used up or others wait. `work` must not throw. */
  run(priority: Priority, work: () => void): void {
    // Work inside of work is part of it.
    if (this.#startedAt !== undefined && !this.isOver) work();
    else if (this.#mayRunNow(priority)) this.#perform(work);
    else this.#waiting[priority].push(work);
    this.#schedule();
  }

  #mayRunNow(priority: Priority): boolean {
    if (this.#startedAt !== undefined) return false;
    if (priority === 'stop') return this.#usedMs < TURN_MS + STOP_RESERVE_MS;
    return this.#usedMs < TURN_MS && this.#isNobodyWaiting;
  }

  get #isNobodyWaiting(): boolean {
    const { stop, control, read } = this.#waiting;
    return stop.isEmpty && control.isEmpty && read.isEmpty;
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => this.#turn());
  }

  #turn(): void {
    const { stop, control, read } = this.#waiting;
    this.#isScheduled = false;
    this.#usedMs = 0;
    for (let next = stop.shift(); next; next = stop.shift()) this.#perform(next);
    // Commands cannot keep readers out for good.
    const first = read.shift();
    if (first) this.#perform(first);
    while (this.#usedMs < TURN_MS) {
      const next = control.shift() ?? read.shift();
      if (!next) return;
      this.#perform(next);
    }
    if (!this.#isNobodyWaiting) this.#schedule();
  }

  #perform(work: () => void): void {
    const startedAt = this.#clock.monotonic();
    this.#startedAt = startedAt;
    try {
      work();
    } finally {
      this.#startedAt = undefined;
      this.#usedMs += this.#clock.monotonic() - startedAt;
    }
  }
}
