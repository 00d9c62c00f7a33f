import { type HostRoots, isBench } from '../../../transports/index.ts';

/**
 * Whether an address leads to a twin (devices.md section 11). Asked anew at each opening, since a plug may change it;
 * once a twin, always marked.
 */
export class BenchMark {
  readonly #address: string;
  readonly #roots: HostRoots;
  #isSeen = false;

  constructor(address: string, roots: HostRoots = {}) {
    this.#address = address;
    this.#roots = roots;
  }

  get isBench(): boolean {
    return this.#isSeen;
  }

  look(): void {
    this.#isSeen ||= isBench(this.#address, this.#roots);
  }
}
