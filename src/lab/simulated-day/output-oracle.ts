import type { TwinEvent } from '../../devices/twin-event.ts';
import type { MovingDevice } from './memory-rig.ts';
import type { PermissionOracle } from './permission-oracle.ts';

/** The safe state is bounded by 5 s. */
const SAFE_STATE_MS = 5000;
/**
 * A device that was not there, or did not answer, is asked again at least every 5 s; then the safe state is made up for.
 * Line and driver leave it alone for some time after the last wrong answer.
 */
const RETURN_MS = 5000 + SAFE_STATE_MS + 4000;

/** What moves the outputs of each device. */
interface Output {
  what: string;
  device: MovingDevice;
}

export interface Findings {
  /** Switched on by the bridge, under a lease or by hand. */
  actuations: number;
  /** Longest that an output was on after the last authority had ended, no device being at fault; milliseconds. */
  longestOnMs: number;
  violations: string[];
}

/** Looks at the twins only, and judges what they did by what the people had said. */
export class OutputOracle {
  readonly findings: Findings = { actuations: 0, longestOnMs: 0, violations: [] };
  readonly #authority: PermissionOracle;
  readonly #now: () => number;
  readonly #on = new Map<string, Output>();
  /** When the last fault of a device ended; Infinity during one. */
  readonly #faultEnd = new Map<MovingDevice, number>();
  readonly #cut = new Set<MovingDevice>();
  #fraction = 0;
  #moves = false;
  /** What has been told already. */
  readonly #told = new Set<string>();
  /** Since when the supply was too low for any actuation, and for so long that the bridge must have seen it. */
  #lowSupplySince = Number.POSITIVE_INFINITY;

  constructor(options: { authority: PermissionOracle; now: () => number }) {
    this.#authority = options.authority;
    this.#now = options.now;
  }

  /** @param isCut nothing reaches the device: what it does now is its own doing */
  faultBegan(device: MovingDevice, isCut: boolean): void {
    this.#faultEnd.set(device, Number.POSITIVE_INFINITY);
    if (isCut) this.#cut.add(device);
  }

  faultEnded(device: MovingDevice): void {
    this.#cut.delete(device);
    this.#faultEnd.set(device, this.#now());
  }

  supply(isLow: boolean): void {
    this.#lowSupplySince = isLow ? this.#now() : Number.POSITIVE_INFINITY;
  }

  saw(device: MovingDevice, event: TwinEvent): void {
    if (event.kind === 'coil') {
      if (event.on) this.#switchedOn(`valve-${event.coil + 1}`);
      this.#note({ what: `valve-${event.coil + 1}`, device }, event.on);
    } else if (event.kind === 'drive') {
      if (event.fraction > this.#fraction) this.#switchedOn('pump');
      this.#fraction = event.fraction;
      this.#note({ what: 'pump', device }, event.fraction > 0);
    } else if (event.kind === 'motion') {
      const moves = event.velocity !== 0;
      // A Tic whose plug was pulled goes on until its own command timeout ends it.
      if (moves && !this.#moves && !this.#cut.has(device)) this.#switchedOn('lung');
      this.#moves = moves;
      this.#note({ what: 'lung', device }, moves || event.energized);
    }
  }

  /** To be called often: what is on although nobody may have it on any more. */
  look(): void {
    const now = this.#now();
    const ended = this.#authority.endedBefore(now);
    if (ended === undefined) {
      this.#told.clear();
      return;
    }
    for (const { what, device } of this.#on.values()) {
      const fault = this.#faultEnd.get(device) ?? Number.NEGATIVE_INFINITY;
      const limit = Math.max(ended + SAFE_STATE_MS, fault + RETURN_MS);
      if (fault + RETURN_MS < ended)
        this.findings.longestOnMs = Math.max(this.findings.longestOnMs, now - ended);
      if (now <= limit || this.#told.has(what)) continue;
      this.#told.add(what);
      this.#broken(`${what} is on ${Math.round(now - ended)} ms after the last authority ended`);
    }
  }

  #switchedOn(what: string): void {
    this.findings.actuations++;
    const now = this.#now();
    const why = this.#authority.whyNot(what, now);
    if (why !== undefined) this.#broken(`${what} was switched on: ${why}`);
    // The bridge looks at the supply at most every 2 s; an actuation that had passed may take a moment.
    if (now - this.#lowSupplySince > 2000 + 3000)
      this.#broken(`${what} was switched on under a supply too low`);
  }

  #note(output: Output, isOn: boolean): void {
    if (isOn) this.#on.set(output.what, output);
    else this.#on.delete(output.what);
  }

  #broken(sentence: string): void {
    this.findings.violations.push(`${(this.#now() / 1000).toFixed(3)} s: ${sentence}`);
  }
}
