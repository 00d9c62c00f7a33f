import { readFileSync } from 'node:fs';

/** Above it a file may have failed only because the machine held its processes up. */
const HELD_UP_SHARE = 0.2;

/** Part of the time for which a process of this machine was ready to run and had no processor, as the kernel counts it. */
export class ProcessorPressure {
  readonly #totalUs: () => number | undefined;
  readonly #beforeUs: number | undefined;

  /** Counts from now on. @param totalUs microseconds since the machine started; undefined where the kernel does not count */
  constructor(totalUs = waitedUs) {
    this.#totalUs = totalUs;
    this.#beforeUs = totalUs();
  }

  /** 0..1 of `tookMs`, when that is long enough to hold tests up; else undefined. */
  heldUp(tookMs: number): number | undefined {
    const nowUs = this.#totalUs();
    if (nowUs === undefined || this.#beforeUs === undefined || tookMs <= 0) return undefined;
    const share = (nowUs - this.#beforeUs) / 1000 / tookMs;
    return share > HELD_UP_SHARE ? Math.min(1, share) : undefined;
  }
}

/** Line `some` of `/proc/pressure/cpu` (kernel documentation, accounting/psi). */
function waitedUs(): number | undefined {
  try {
    const total = /^some .*total=(\d+)/m.exec(readFileSync('/proc/pressure/cpu', 'utf8'))?.[1];
    return total === undefined ? undefined : Number(total);
  } catch {
    return undefined;
  }
}
