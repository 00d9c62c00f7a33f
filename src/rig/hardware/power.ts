import { execFile } from 'node:child_process';
import type { Clock } from '../../lib/clock/clock.ts';

/** Supply state of the Pi (`vcgencmd get_throttled`). */
export interface PowerState {
  /** Null when this machine does not report. */
  source: string | null;
  undervoltageNow: boolean;
  undervoltageSinceBoot: boolean;
}

/** Reads the throttling bits once; undefined when this machine has no such source. */
export type ReadThrottled = () => Promise<number | undefined>;

const UNDERVOLTAGE_NOW = 1 << 0;
const UNDERVOLTAGE_SINCE_BOOT = 1 << 16;
const CACHE_MS = 2000;
const READ_LIMIT_MS = 1000;

/** `vcgencmd get_throttled`, answer `throttled=0x50005`. */
export const readVcgencmd: ReadThrottled = () =>
  new Promise((resolve) => {
    execFile('vcgencmd', ['get_throttled'], { timeout: READ_LIMIT_MS }, (error, stdout) => {
      const bits = /^throttled=0x([0-9a-fA-F]+)/.exec(stdout ?? '')?.[1];
      resolve(error || bits === undefined ? undefined : Number.parseInt(bits, 16));
    });
  });

/** The supply, read at most every 2 s. Without a source the gate stays open. */
export class PowerMonitor {
  readonly #read: ReadThrottled;
  readonly #clock: Clock;
  #cached: { at: number; state: Promise<PowerState> } | undefined;

  constructor(clock: Clock, read: ReadThrottled = readVcgencmd) {
    this.#clock = clock;
    this.#read = read;
  }

  state(): Promise<PowerState> {
    const now = this.#clock.monotonic();
    if (!this.#cached || now - this.#cached.at >= CACHE_MS) {
      this.#cached = { at: now, state: this.#read().then(toState) };
    }
    return this.#cached.state;
  }
}

function toState(bits: number | undefined): PowerState {
  return {
    source: bits === undefined ? null : 'vcgencmd',
    undervoltageNow: bits !== undefined && (bits & UNDERVOLTAGE_NOW) !== 0,
    undervoltageSinceBoot: bits !== undefined && (bits & UNDERVOLTAGE_SINCE_BOOT) !== 0,
  };
}
