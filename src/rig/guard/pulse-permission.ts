import type { Clock } from '../../lib/clock/clock.ts';
import type { BridgeWatch, SeenBridge } from './bridge-watch.ts';

/** It looks at the bridge with each heartbeat, and 125 ms behind the last one. */
const LOOK_LIMIT_MS = 200;

export interface PulsePermissionOptions {
  watch: BridgeWatch;
  clock: Clock;
  /** This guard acts, and no safe state of its own is under way or unproven. */
  isAtRest: () => boolean;
}

/** Whether pulses may go out: the guard watches a bridge whose last safe state is proven. */
export class PulsePermission {
  readonly #options: PulsePermissionOptions;
  /** The bridge that was asked for a safe state, and those that it had begun before. */
  #asked: { bridge: SeenBridge; begun: number } | undefined;

  constructor(options: PulsePermissionOptions) {
    this.#options = options;
  }

  get isGiven(): boolean {
    const { watch, clock, isAtRest } = this.#options;
    const { bridge } = watch;
    if (!bridge || bridge.closingAt !== undefined || bridge.isRehearsing || !isAtRest()) return false;
    if (clock.monotonic() - watch.tickedAt >= LOOK_LIMIT_MS) return false;
    return bridge.safeState?.running === false && bridge.safeState.outcome === 'safe';
  }

  /** Asks each bridge once for a safe state. @returns whether it has made one since, which is proven */
  isProvenAnew(): boolean {
    const { watch } = this.#options;
    const { bridge } = watch;
    if (!bridge || !this.isGiven) return false;
    if (this.#asked?.bridge === bridge) return bridge.begun > this.#asked.begun;
    this.#asked = { bridge, begun: bridge.begun };
    watch.supplyInterrupted();
    return false;
  }

  /** What was proven so far counts no more. */
  forget(): void {
    this.#asked = undefined;
  }
}
