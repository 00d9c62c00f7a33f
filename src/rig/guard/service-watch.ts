import type { Clock } from '../../lib/clock/clock.ts';
import { messageOf } from '../../lib/errors/coded-error.ts';
import { exchangeJson } from '../../transports/index.ts';

const EVERY_MS = 1000;
const LIMIT_MS = 1000;
const FAILURES = 3;
const MAX_BYTES = 65_536;

export interface ServiceWatchOptions {
  baseUrl: string;
  clock: Clock;
  /** Once, until it has answered again. The supervisor had time to start it anew. */
  onLost: (why: string) => void;
  onBack: () => void;
}

/** Watches a service that owns a device by GET /health, as the bridge is watched. */
export class ServiceWatch {
  readonly #options: ServiceWatchOptions;
  #failures = 0;
  #isLost = false;
  #stopped = false;
  #cancel = () => {};

  constructor(options: ServiceWatchOptions) {
    this.#options = options;
  }

  get isLost(): boolean {
    return this.#isLost;
  }

  start(): void {
    this.#cancel = this.#options.clock.after(EVERY_MS, () => void this.#ask());
  }

  stop(): void {
    this.#stopped = true;
    this.#cancel();
  }

  async #ask(): Promise<void> {
    const { baseUrl, clock } = this.#options;
    const askedAt = clock.monotonic();
    const url = `${baseUrl.replace(/\/$/, '')}/health`;
    const fault = await exchangeJson(url, {
      status: 200,
      timeoutMs: LIMIT_MS,
      maxBytes: MAX_BYTES,
      clock,
    }).then(() => undefined, messageOf);
    if (this.#stopped) return;
    if (fault === undefined) this.#answered();
    else this.#failed(fault);
    const waitMs = Math.max(0, askedAt + EVERY_MS - clock.monotonic());
    this.#cancel = clock.after(waitMs, () => void this.#ask());
  }

  #answered(): void {
    this.#failures = 0;
    if (!this.#isLost) return;
    this.#isLost = false;
    this.#options.onBack();
  }

  #failed(fault: string): void {
    this.#failures += 1;
    if (this.#isLost || this.#failures < FAILURES) return;
    this.#isLost = true;
    this.#options.onLost(`${FAILURES} times in a row ${fault}`);
  }
}
