import type { Clock } from '../../lib/clock/clock.ts';
import type { BridgeWatch } from './bridge-watch.ts';
import { reactionReader } from './reaction.ts';

const ASK_EVERY_MS = 60_000;
const FRESH_MS = 24 * 3_600_000;

export interface RehearsalsOptions {
  watch: BridgeWatch;
  stateDir: string;
  clock: Clock;
}

/**
 * Measures the guard's own reaction when none was measured for a day: on a bench, the bridge is asked to act as if it stood
 * still. It does so only when nobody counts on the rig; then all goes its way, to the SIGKILL and the confirmed all-off.
 */
export class Rehearsals {
  readonly #options: RehearsalsOptions;
  readonly #last: ReturnType<typeof reactionReader>;
  #cancel = () => {};

  constructor(options: RehearsalsOptions) {
    this.#options = options;
    this.#last = reactionReader(options.stateDir);
  }

  start(): void {
    this.#cancel = this.#options.clock.after(ASK_EVERY_MS, () => {
      const { watch, clock } = this.#options;
      const last = this.#last();
      const isFresh = last !== undefined && clock.now() - Date.parse(last.at) < FRESH_MS;
      if (!isFresh && watch.bridge?.bench) watch.rehearse();
      this.start();
    });
  }

  stop(): void {
    this.#cancel();
  }
}
