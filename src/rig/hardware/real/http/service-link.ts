import type { Clock } from '../../../../lib/clock/clock.ts';
import { isProblemCode } from '../../../../lib/http/problem-table.ts';
import type { Milliseconds } from '../../../../lib/quantity.ts';
import { healthOf } from '../../component-health.ts';
import type { Component, ComponentHealth, Origin } from '../../ports.ts';
import { RigError } from '../../rig-error.ts';
import type { JsonObject, ServiceClient } from './service-client.ts';
import { foreign, toldHealth, unreachable, type WantedService } from './service-health.ts';

export interface ServiceLinkOptions extends WantedService {
  id: string;
  client: ServiceClient;
  clock: Clock;
  /** A service that is well is asked again after so many milliseconds; never without it. */
  askWellMs?: Milliseconds;
  /** More of the answer than what every health says. */
  more?: (answer: JsonObject) => Partial<ComponentHealth>;
  /** Service and device are well again after they were not. */
  onReturn?: () => void;
}

/** A service that gives readings: nothing is lost with it that would tell of its end, so it is asked also when well. */
export const SOURCE = { mockCode: 'sensor_source_simulated', askWellMs: 20_000 } as const;

/** How often a service is asked that is not well: its return is noticed within 5 s, asking included. */
const ASK_UNWELL_MS = 4000;
/** A service answers with what it knows; here it is to ask its device first. */
const HEALTH = '/health?wait_ms=1900';
/** The start of the rig does not wait longer for one that hangs. */
const FIRST_MS = 500;

/** Of a call that failed: these say that the service, or the device behind it, is not there. */
const GONE: ReadonlySet<string> = new Set(['device_unavailable', 'device_timeout', 'held_by_other']);
/** And these that it is another one than is wanted. */
const OTHER: ReadonlySet<string> = new Set(['corrupt_response', 'wrong_device']);

/** What an answer of a service says of where it comes from. */
export interface Marked {
  mock: boolean;
  bench: boolean;
}

/**
 * The way to a service that owns a device: whether it is there, is the one that is wanted, and has its device. As a
 * component it is what `/health` of that service says. Between `open` and `close` it is asked again while it is not
 * well.
 */
export class ServiceLink implements Component {
  readonly id: string;
  readonly path = null;
  /** Of what comes through it, at any time. Once a bench, always marked. */
  readonly origin: Origin;
  readonly #options: ServiceLinkOptions;
  /** Aborts at the end. */
  #open: AbortController | undefined;
  #cancelNext = () => {};
  #last: ComponentHealth;
  #wasUnwell = false;
  /** Who is behind the address has said that it is the one that is wanted, and not in mock mode. */
  #isReal = false;
  #wasBench = false;

  constructor(options: ServiceLinkOptions) {
    this.id = options.id;
    this.#options = options;
    const isBench = () => this.#wasBench;
    this.origin = {
      mock: false,
      get bench() {
        return isBench();
      },
    };
    this.#last = this.#placed(healthOf('error', `${options.client.baseUrl} was not asked yet`));
  }

  get endpoint(): string {
    return this.#options.client.baseUrl;
  }

  noteBench(isBench: boolean): void {
    this.#wasBench ||= isBench;
  }

  /** As last heard. */
  known(): ComponentHealth {
    return this.#last;
  }

  /** Asks /health. Never throws. */
  async check(signal?: AbortSignal): Promise<ComponentHealth> {
    const { client, clock, more } = this.#options;
    const startedAt = clock.monotonic();
    let isReal = false;
    let health: ComponentHealth;
    try {
      const answer = await client.get(HEALTH, { signal, allowNotOk: true });
      const fault = foreign(client.baseUrl, answer, this.#options);
      isReal = fault === undefined;
      health = fault ?? { ...toldHealth(client.baseUrl, answer), ...more?.(answer) };
    } catch (thrown) {
      health = unreachable(thrown);
    }
    this.noteBench(health.bench);
    health = this.#placed(health, clock.monotonic() - startedAt);
    // Whoever asked gave up: that says nothing about the service.
    if (!signal?.aborted) this.#note(health, isReal);
    return health;
  }

  /** @throws RigError `wrong_device`, or why it cannot be asked; nothing may be sent to it then */
  async mustBeReal(signal?: AbortSignal): Promise<void> {
    if (this.#isReal) return;
    const { code, message } = await this.check(signal);
    signal?.throwIfAborted();
    if (this.#isReal) return;
    const known = code !== null && isProblemCode(code) ? code : 'device_unavailable';
    throw new RigError(known, this.id, message);
  }

  /** Hands on what the service answered to a call. @throws RigError; `wrong_device` for an answer of a plant */
  async told<A extends Marked>(ask: () => Promise<A>): Promise<A> {
    try {
      const answer = await ask();
      this.noteBench(answer.bench);
      if (!answer.mock) return answer;
      const { service = 'it' } = this.#options;
      const text = `${this.endpoint} answers from its plant and moves nothing; start ${service} with SVC_HARDWARE_MODE=real`;
      throw new RigError('wrong_device', this.id, text);
    } catch (thrown) {
      if (thrown instanceof RigError && OTHER.has(thrown.code)) this.failed(thrown);
      else this.noteFailure(thrown);
      throw thrown;
    }
  }

  /** A call failed: when that shows that no service listens, it counts as not well until it has been asked. */
  noteFailure(thrown: unknown): void {
    if (thrown instanceof RigError && GONE.has(thrown.code)) this.failed(thrown);
  }

  /** A call failed after which the service is asked in any case. */
  failed(thrown: unknown): void {
    const isPlanned = this.#wasUnwell;
    this.#note(this.#placed(unreachable(thrown)), false, isPlanned);
  }

  /** Asks now, and again and again until `close`. Resolves with the first answer, or soon. */
  async open(): Promise<void> {
    const { clock } = this.#options;
    this.#open = new AbortController();
    const soon = new AbortController();
    await Promise.race([this.check(this.#open.signal), clock.sleep(FIRST_MS, soon.signal).catch(() => {})]);
    soon.abort();
  }

  async close(): Promise<void> {
    this.#cancelNext();
    this.#open?.abort(new Error('the service is shutting down'));
  }

  /** @param isPlanned it is to be asked already: calls that go on failing do not put that off */
  #note(health: ComponentHealth, isReal: boolean, isPlanned = false): void {
    this.#last = health;
    this.#isReal = isReal;
    const isWell = health.status === 'ok';
    const isBack = isWell && this.#wasUnwell;
    this.#wasUnwell = !isWell;
    const { clock, askWellMs, onReturn } = this.#options;
    const nextMs = isWell ? askWellMs : ASK_UNWELL_MS;
    const signal = this.#open?.signal;
    if (!isPlanned) {
      this.#cancelNext();
      if (signal && !signal.aborted && nextMs !== undefined)
        this.#cancelNext = clock.after(nextMs, () => void this.check(signal));
    }
    if (isBack && !signal?.aborted) onReturn?.();
  }

  #placed(health: ComponentHealth, latencyMs = 0): ComponentHealth {
    return { ...health, endpoint: this.endpoint, latencyMs, bench: this.#wasBench };
  }
}
