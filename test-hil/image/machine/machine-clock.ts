import type { Clock } from '../../../src/lib/clock/clock.ts';
import { sleepOn } from '../../../src/lib/clock/sleep-on.ts';
import type { Qmp } from './qmp.ts';

/** Of the xHCI controller: its frame index counts 1/8 ms of the machine's time in 14 bits (xHCI 1.1, section 5.5.1). */
const RUNTIME_OFFSET = 0x1000;
const COUNTS = 0x4000;
const COUNTS_PER_MS = 8;
const XHCI = /1b36:000d[\s\S]*?BAR0: 64 bit memory at (0x[0-9a-f]+)/;
/** The kernel has not given the controller its address yet. */
const UNASSIGNED = '0xffffffffffffffff';
const LOOK_MS = 4;

interface Timer {
  /** Undefined until the machine's time was read after the timer was set. */
  dueMs: number | undefined;
  ms: number;
  action: () => void;
}

/**
 * Time of an emulated machine whose clock goes slower than this one's while it is busy. Twins that follow it are neither early nor
 * late for the machine. While the machine is off, or has no USB yet, it is the time of the clock below.
 */
export class MachineClock implements Clock {
  readonly #base: Clock;
  readonly #timers = new Set<Timer>();
  #nowMs: number;
  #baseMs: number;
  #qmp: Qmp | undefined;
  #register = '';
  #count: number | undefined;
  #cancel: (() => void) | undefined;

  constructor(base: Clock) {
    this.#base = base;
    this.#nowMs = base.monotonic();
    this.#baseMs = this.#nowMs;
    this.#look();
  }

  /** The machine is on. */
  follow(qmp: Qmp): void {
    this.#qmp = qmp;
    this.#count = undefined;
    this.#register = '';
  }

  /** The machine is off. */
  release(): void {
    this.#qmp = undefined;
  }

  /** Ends it: no timer fires any more. */
  end(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#timers.clear();
  }

  now(): number {
    return this.#base.now();
  }

  monotonic(): number {
    return this.#nowMs;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return sleepOn((action) => this.after(ms, action), signal);
  }

  after(ms: number, action: () => void): () => void {
    const timer: Timer = { dueMs: undefined, ms: Math.max(0, ms), action };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  #look(): void {
    this.#cancel = this.#base.after(LOOK_MS, () => void this.#advance());
  }

  async #advance(): Promise<void> {
    // What is set while the time is read begins with the next reading.
    const set = [...this.#timers];
    this.#nowMs += await this.#read();
    this.#fire(set);
    if (this.#cancel) this.#look();
  }

  #fire(set: readonly Timer[]): void {
    const due = set
      .filter((timer) => this.#timers.has(timer))
      .filter((timer) => {
        timer.dueMs ??= this.#nowMs + timer.ms;
        return timer.dueMs <= this.#nowMs;
      })
      .sort((a, b) => (a.dueMs ?? 0) - (b.dueMs ?? 0));
    for (const timer of due) if (this.#timers.delete(timer)) timer.action();
  }

  /** @returns milliseconds of the machine's time since the last reading */
  async #read(): Promise<number> {
    const sinceMs = this.#base.monotonic() - this.#baseMs;
    this.#baseMs += sinceMs;
    const count = await this.#frames().catch(() => undefined);
    const before = this.#count;
    this.#count = count;
    // Before the machine has set its controller up, and after its end.
    if (count === undefined || before === undefined) return count === undefined ? sinceMs : 0;
    return ((count - before + COUNTS) % COUNTS) / COUNTS_PER_MS;
  }

  async #frames(): Promise<number | undefined> {
    const qmp = this.#qmp;
    if (!qmp) return undefined;
    if (this.#register === '') {
      const [, base] = XHCI.exec(await qmp.monitor('info pci')) ?? [];
      if (base === undefined || base === UNASSIGNED) return undefined;
      this.#register = `0x${(BigInt(base) + BigInt(RUNTIME_OFFSET)).toString(16)}`;
    }
    const [, value] = /: (0x[0-9a-f]+)/.exec(await qmp.monitor(`xp /1wx ${this.#register}`)) ?? [];
    return value === undefined ? undefined : Number(value) % COUNTS;
  }
}
