import type { Clock } from '../../lib/clock/clock.ts';
import type { JsonLine } from '../../lib/liveness/json-lines.ts';
import type { Milliseconds } from '../../lib/quantity.ts';

const TICK_MS = 100;
/** Most that one tick counts: what holds up this process is not the silence of the guard. */
const LONGEST_TICK_MS = 150;
/** The guard repeats its report each 0.5 s. */
const SILENCE_LIMIT_MS = 1000;

export interface SupplyReportOptions {
  clock: Clock;
  /** The supply was on, and is not any more as far as is known. */
  onLost: () => void;
}

/**
 * What the guard reports to the bridge of the supply of the actuators, which its watchdog relay carries. Without a report it counts as
 * off: a guard that hangs or has ended feeds no relay.
 */
export class SupplyReport {
  readonly #options: SupplyReportOptions;
  #why: string | undefined = 'svc-guard has not reported yet';
  #testedAt: string | null = null;
  #silentMs: Milliseconds = 0;
  #tickedAt: number;
  #cancel = () => {};

  constructor(options: SupplyReportOptions) {
    this.#options = options;
    this.#tickedAt = options.clock.monotonic();
  }

  /** Undefined while the supply is on. */
  get whyOff(): string | undefined {
    return this.#why;
  }

  start(): void {
    this.#tick();
  }

  stop(): void {
    this.#cancel();
  }

  /** When the relay was last seen to open and to close, ISO time; null: not since this bridge began. */
  get testedAt(): string | null {
    return this.#testedAt;
  }

  /** @param line of the guard: `supply_off` is null while the supply is on, else why it is not */
  hear({ supply_off: off, relay_tested_at: testedAt }: JsonLine): void {
    this.#silentMs = 0;
    if (typeof testedAt === 'string') this.#testedAt = testedAt;
    if (off === null) this.#why = undefined;
    else
      this.#lose(
        typeof off === 'string' ? off : 'svc-guard feeds no relay: it has no guard.pulse, restart it',
      );
  }

  #tick(): void {
    const { clock } = this.#options;
    const now = clock.monotonic();
    this.#silentMs += Math.min(now - this.#tickedAt, LONGEST_TICK_MS);
    this.#tickedAt = now;
    if (this.#silentMs >= SILENCE_LIMIT_MS) this.#lose('svc-guard does not report');
    this.#cancel = clock.after(TICK_MS, () => this.#tick());
  }

  #lose(why: string): void {
    const wasOn = this.#why === undefined;
    this.#why = why;
    if (wasOn) this.#options.onLost();
  }
}
