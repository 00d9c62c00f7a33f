import type { ConnectionState } from '../../devices/connection.ts';
import type { Clock } from '../../lib/clock/clock.ts';
import { messageOf } from '../../lib/errors/coded-error.ts';
import type { Logger } from '../../lib/log/logger.ts';
import { type HostRoots, isBench } from '../../transports/index.ts';

interface OpeningOptions {
  clock: Clock;
  logger: Logger | undefined;
  device: string;
  endpoint: () => string;
}

const FIRST_WAIT_MS = 200;
const LAST_WAIT_MS = 5000;

/** How one device is opened in the background, and what is logged of its coming and going. */
export class Opening {
  readonly #options: OpeningOptions;
  readonly #stop = new AbortController();
  /** Of the last attempt that failed; undefined before the first, and when the owner has cleared it. */
  fault: unknown;

  constructor(options: OpeningOptions) {
    this.#options = options;
  }

  get isEnded(): boolean {
    return this.#stop.signal.aborted;
  }

  /** Calls `attempt` until it succeeds or this has ended: at once, then with a back-off of 0.2 s doubling to 5 s. */
  async start(attempt: () => Promise<void>): Promise<void> {
    let waitMs = FIRST_WAIT_MS;
    while (!this.isEnded) {
      try {
        await attempt();
        return;
      } catch (fault) {
        const isNews = this.fault === undefined || messageOf(this.fault) !== messageOf(fault);
        if (isNews) this.note('absent', fault);
        this.fault = fault;
      }
      await this.#options.clock.sleep(waitMs, this.#stop.signal).catch(() => {});
      waitMs = Math.min(2 * waitMs, LAST_WAIT_MS);
    }
  }

  /** One line when the device came or went. */
  note(state: ConnectionState, fault?: unknown): void {
    const { logger, device } = this.#options;
    const endpoint = this.#options.endpoint();
    if (state === 'open') logger?.info(`${device}: open at ${endpoint}`, { device, endpoint });
    if (state === 'absent')
      logger?.warn(`${device}: absent; it is opened again as soon as it is there`, {
        device,
        endpoint,
        ...(fault === undefined ? {} : { error: messageOf(fault) }),
      });
  }

  end(): void {
    this.#stop.abort();
  }
}

/**
 * Whether an address leads to a twin. Asked anew at each opening, since a plug may change it;
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
