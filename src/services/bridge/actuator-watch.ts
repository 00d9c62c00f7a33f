import type { Clock } from '../../lib/clock/clock.ts';
import type { KnownStates } from '../../rig/interlocks/known-states.ts';
import type { OutputDevice } from './read-back.ts';

/** Milliseconds between two readings of a device of which something is on; less than 250 with the reading itself. */
const ON_MS = 200;
/** The same while all of it is off. One that does not answer is asked less and less often. */
const OFF_MS = 1000;
const SILENT_MS = 5000;

export interface ActuatorWatchOptions {
  devices: readonly OutputDevice[];
  states: Pick<KnownStates, 'isHeldOn'>;
  clock: Clock;
  /** A safe state runs: no reading may stand in its way. */
  isPaused: () => boolean;
}

/**
 * Reads all outputs back for as long as the bridge runs. A board that lost its supply for a moment comes back with
 * everything off and reports nothing; an output that somebody else has switched on reports nothing either. What is measured
 * from then on is not what was asked for. `ReadBack` judges what is read.
 */
export class ActuatorWatch {
  readonly #options: ActuatorWatchOptions;
  readonly #ended = new AbortController();
  readonly #wakes = new Map<OutputDevice, () => void>();

  constructor(options: ActuatorWatchOptions) {
    this.#options = options;
  }

  begin(): void {
    for (const device of this.#options.devices) void this.#watch(device);
  }

  /** Something was switched on. */
  switchedOn(): void {
    for (const [device, wake] of this.#wakes) if (this.#isOn(device)) wake();
  }

  close(): void {
    this.#ended.abort();
    for (const wake of this.#wakes.values()) wake();
  }

  async #watch(device: OutputDevice): Promise<void> {
    const { isPaused } = this.#options;
    const { signal } = this.#ended;
    let failures = 0;
    while (!signal.aborted) {
      await this.#pause(device, failures);
      if (signal.aborted || isPaused()) continue;
      await device.look(signal).then(
        () => {
          failures = 0;
        },
        () => {
          failures += 1;
        },
      );
    }
  }

  /** Until the next reading is due; something that is switched on meanwhile makes that sooner. */
  async #pause(device: OutputDevice, failures: number): Promise<void> {
    const { clock } = this.#options;
    if (!this.#isOn(device)) await this.#sleepOrWake(device, Math.min(OFF_MS * 2 ** failures, SILENT_MS));
    if (this.#isOn(device)) await clock.sleep(ON_MS, this.#ended.signal).catch(() => {});
  }

  async #sleepOrWake(device: OutputDevice, ms: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const cancel = this.#options.clock.after(ms, resolve);
      this.#wakes.set(device, () => {
        cancel();
        resolve();
      });
    });
  }

  #isOn({ ids }: OutputDevice): boolean {
    return ids.some((id) => this.#options.states.isHeldOn(id));
  }
}
