import type { Clock } from '../../lib/clock/clock.ts';
import { messageOf } from '../../lib/errors/coded-error.ts';
import type { Milliseconds } from '../../lib/quantity.ts';
import type { KnownStates } from '../../rig/interlocks/known-states.ts';
import type { OutputDevice } from './read-back.ts';

/** Milliseconds between two readings of a device of which something is on; less than 250 with the reading itself. */
const ON_MS = 200;
/** The same behind a reading that failed. */
const AGAIN_MS = 50;
/** The same while all of it is off. One that does not answer is asked less and less often. */
const OFF_MS = 1000;
const SILENT_MS = 5000;

export interface ActuatorWatchOptions {
  devices: readonly OutputDevice[];
  states: Pick<KnownStates, 'isHeldOn'>;
  clock: Clock;
  /** A safe state runs: no reading may stand in its way. */
  isPaused: () => boolean;
  /** Something is on that could not be read back for too long. @param why for people */
  onLost: (why: string) => void;
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
    const { clock, isPaused } = this.#options;
    const { signal } = this.#ended;
    let failures = 0;
    /** Of the last good reading, monotonic milliseconds. What is switched on was read back by its command. */
    let seenAt = clock.monotonic();
    while (!signal.aborted) {
      if (!this.#isOn(device)) {
        await this.#sleepOrWake(device, Math.min(OFF_MS * 2 ** failures, SILENT_MS));
        seenAt = clock.monotonic();
      }
      if (this.#isOn(device)) {
        const isUrgent = failures > 0 && Number.isFinite(device.lostAfterMs);
        await clock.sleep(isUrgent ? AGAIN_MS : ON_MS, signal).catch(() => {});
      }
      if (signal.aborted) return;
      if (isPaused()) {
        seenAt = clock.monotonic();
        continue;
      }
      const withinMs = this.#isOn(device) ? seenAt + device.lostAfterMs - clock.monotonic() : undefined;
      try {
        await device.look(signal, withinMs);
        failures = 0;
        seenAt = clock.monotonic();
      } catch (thrown) {
        failures += 1;
        this.#judgeSilence(device, clock.monotonic() - seenAt, thrown);
      }
    }
  }

  #judgeSilence(device: OutputDevice, silentMs: Milliseconds, thrown: unknown): void {
    const { states, isPaused, onLost } = this.#options;
    if (silentMs < device.lostAfterMs || isPaused() || this.#ended.signal.aborted) return;
    const on = device.ids.filter((id) => states.isHeldOn(id));
    if (on.length === 0) return;
    const seconds = (silentMs / 1000).toFixed(2);
    onLost(`${on.join(', ')}: not read back for ${seconds} s while on: ${messageOf(thrown)}`);
  }

  async #sleepOrWake(device: OutputDevice, ms: Milliseconds): Promise<void> {
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
