import type { Clock } from '../../lib/clock/clock.ts';
import { type ActuatorRules, WATCHED, type Watched } from './rules.ts';

/** Milliseconds between two looks. */
const LOOK_MS = 250;

export interface ActuatorWatchOptions {
  rules: ActuatorRules;
  clock: Clock;
  /** A safe state runs: no look may stand in its way. */
  isPaused: () => boolean;
}

/**
 * Reads an actuator back for as long as it is on. A board that lost its supply for a moment comes back with everything off
 * and says nothing, and what is measured from then on is not what was asked for. The rules tell when what was on is off; a
 * device that does not answer is told by the next command.
 */
export class ActuatorWatch {
  readonly #options: ActuatorWatchOptions;
  readonly #ended = new AbortController();
  readonly #looking = new Set<Watched>();

  constructor(options: ActuatorWatchOptions) {
    this.#options = options;
  }

  /** Something was switched on. */
  begin(): void {
    for (const device of WATCHED) void this.#look(device);
  }

  close(): void {
    this.#ended.abort();
  }

  async #look(device: Watched): Promise<void> {
    const { rules, clock, isPaused } = this.#options;
    const { signal } = this.#ended;
    if (this.#looking.has(device)) return;
    this.#looking.add(device);
    try {
      while (rules.isHeldOn(device)) {
        await clock.sleep(LOOK_MS, signal);
        if (!isPaused()) await rules.look(device, signal).catch(() => {});
      }
    } catch {
      // Closed.
    } finally {
      this.#looking.delete(device);
    }
  }
}
