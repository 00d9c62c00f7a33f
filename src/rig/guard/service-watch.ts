import type { Clock } from '../../lib/clock/clock.ts';
import { HeartbeatMonitor } from '../../lib/liveness/heartbeat-monitor.ts';
import { BEAT_MS } from '../../lib/liveness/heartbeat-server.ts';
import type { JsonLine } from '../../lib/liveness/json-lines.ts';
import { isAlive, type ProcessId, sameProcess } from '../../lib/proc.ts';
import type { Milliseconds } from '../../lib/quantity.ts';
import { exchangeJson } from '../../transports/index.ts';
import { GUARD } from './bridge-life.ts';
import { HEARTBEAT_LIMIT_MS, type HealthFault, healthFault } from './health-fault.ts';
import { peerProcess } from './process-id.ts';
import type { LifeSign } from './service-step.ts';

const EVERY_MS = 1000;
const LIMIT_MS = 1000;
const FAILURES = 3;
const MAX_BYTES = 65_536;
/** It judges the service, not its device: two guards that ask each second need not keep that busy. */
const HEALTH = '/health?max_age_ms=2000';
/** An event loop that is silent for so long stands still. */
const SILENCE_LIMIT_MS = 2000;
/** A service that ends answers no request any more; its program gives up by itself after 6 s. */
const CLOSING_LIMIT_MS = 6500;
/** Two beats, of which each may come half of one late. */
const HEARD_MS = 3 * BEAT_MS;

export interface ServiceWatchOptions {
  /** For example `svc-pump`. */
  service: string;
  /** Of its life line. */
  address: string;
  baseUrl: string;
  clock: Clock;
  /** Its life line is there. */
  onSeen?: (pid: number) => void;
  /** Once for each process, and once more when it had answered in between. */
  onLost: (why: string) => void;
  /** It answers again, or a new one has come. */
  onBack: () => void;
}

/**
 * Watches a service that owns an actuator, by its life line and by GET /health. A life line that breaks while its process
 * goes on says nothing: /health decides.
 */
export class ServiceWatch {
  readonly #options: ServiceWatchOptions;
  readonly #life: HeartbeatMonitor;
  /** Who greeted last; undefined once it has ended. */
  #process: ProcessId | undefined;
  /** Since then it is ending; monotonic milliseconds. */
  #closingAt: number | undefined;
  /** Its last word: nothing moves any more. */
  #hasLeftSafe = false;
  #failures = 0;
  #lost: string | undefined;
  #losses = 0;
  #stopped = false;
  #cancel = () => {};

  constructor(options: ServiceWatchOptions) {
    const { address, clock } = options;
    this.#options = options;
    this.#life = new HeartbeatMonitor({
      address,
      clock,
      name: GUARD,
      onHello: (hello) => this.#greeted(hello),
      onLine: ({ closing, left_safe }) => {
        if (closing === true) this.#closingAt ??= clock.monotonic();
        if (left_safe === true) this.#hasLeftSafe = true;
      },
      onGone: () => this.#look(),
      onTick: () => this.#look(),
    });
  }

  /** Why it is lost; undefined while it is not. */
  get lost(): string | undefined {
    return this.#lost;
  }

  /** Of the process that greeted last; undefined once it has ended. */
  get pid(): number | undefined {
    return this.#process?.pid;
  }

  /** Of the process that greeted; `unknown` while there is none on the line. */
  get sign(): LifeSign {
    if (!this.#process || !this.#life.isConnected) return 'unknown';
    if (this.#life.silentMs >= SILENCE_LIMIT_MS) return 'silent';
    return this.#life.silentMs < HEARD_MS ? 'heard' : 'unknown';
  }

  start(): void {
    this.#life.start();
    this.#askIn(EVERY_MS);
  }

  stop(): void {
    this.#stopped = true;
    this.#life.stop();
    this.#cancel();
  }

  #greeted({ pid, closing }: JsonLine): void {
    const { address, service, clock } = this.#options;
    const process = peerProcess(address, service, pid);
    if (!process) return;
    // A new one stops its device before it does anything else.
    if (!this.#process || !sameProcess(this.#process, process)) this.#answered();
    this.#process = process;
    this.#closingAt = closing === true ? clock.monotonic() : undefined;
    this.#hasLeftSafe = false;
    this.#options.onSeen?.(process.pid);
  }

  #look(): void {
    if (this.#closingMs >= CLOSING_LIMIT_MS) this.#lose('it does not come to its end');
    if (this.#life.isConnected) {
      if (this.#life.silentMs >= SILENCE_LIMIT_MS)
        this.#lose(`no heartbeat for ${SILENCE_LIMIT_MS / 1000} s`);
      return;
    }
    if (!this.#process || isAlive(this.#process)) return;
    this.#process = undefined;
    this.#closingAt = undefined;
    if (!this.#hasLeftSafe) this.#lose('its process has ended');
  }

  #askIn(ms: Milliseconds): void {
    this.#cancel = this.#options.clock.after(ms, () => void this.#ask());
  }

  async #ask(): Promise<void> {
    const { baseUrl, clock } = this.#options;
    const askedAt = clock.monotonic();
    const losses = this.#losses;
    const url = `${baseUrl.replace(/\/$/, '')}${HEALTH}`;
    const fault = await exchangeJson(url, {
      status: 200,
      timeoutMs: LIMIT_MS,
      maxBytes: MAX_BYTES,
      clock,
    }).then(() => undefined, healthFault);
    if (this.#stopped) return;
    if (fault !== undefined) this.#failed(fault);
    // An answer that was on its way when the service was lost is that of a dead one.
    else if (losses === this.#losses) this.#answered();
    this.#askIn(Math.max(0, askedAt + EVERY_MS - clock.monotonic()));
  }

  #answered(): void {
    this.#failures = 0;
    if (this.#lost === undefined) return;
    this.#lost = undefined;
    this.#options.onBack();
  }

  #failed({ message, mayBeBusy }: HealthFault): void {
    // While it ends, its heart and the limit of its end report how it stands.
    if (this.#closingAt !== undefined) return;
    const isBeating = this.#process && this.#life.isConnected && this.#life.silentMs < HEARTBEAT_LIMIT_MS;
    if (mayBeBusy && isBeating) return;
    this.#failures += 1;
    if (this.#failures >= FAILURES) this.#lose(`${FAILURES} times in a row ${message}`);
  }

  get #closingMs(): number {
    return this.#closingAt === undefined ? 0 : this.#options.clock.monotonic() - this.#closingAt;
  }

  #lose(why: string): void {
    if (this.#lost !== undefined) return;
    this.#lost = why;
    this.#losses += 1;
    this.#options.onLost(why);
  }
}
