import type { Clock } from '../../../../lib/clock/clock.ts';
import type { PluginId } from '../../../../lib/config/types.ts';
import { CodedError, messageOf } from '../../../../lib/errors/coded-error.ts';
import type { LockHolder } from '../../../../lib/lock/lock.ts';
import type { Component, ComponentHealth, ComponentStatus } from '../../ports.ts';
import { textIn } from './adc-sample.ts';
import type { JsonObject, ServiceClient } from './service-client.ts';

export interface ServiceComponentOptions {
  id: PluginId;
  client: ServiceClient;
  clock: Clock;
  /** More of the answer than what every health says. */
  more?: (answer: JsonObject) => Partial<ComponentHealth>;
}

/** How often a service is asked that is not well: its return is noticed within 5 s (devices.md 10). */
const WATCH_MS = 4000;
/** One that is well is asked after so many of these times only, for it asks its device, which may be at work. */
const WELL_ROUNDS = 5;
/** Of a reading that failed: these say that the service, or the device behind it, is not there. */
const LOST = new Set(['device_unavailable', 'device_timeout', 'held_by_other']);
/** The start of the rig does not wait longer for one that hangs. */
const FIRST_MS = 500;

/** A component whose device another service owns: its health is what `/health` of that service says. */
export class ServiceComponent implements Component {
  readonly id: PluginId;
  readonly path = null;
  readonly #options: ServiceComponentOptions;
  readonly #end = new AbortController();
  #last: ComponentHealth | undefined;
  #wasBench = false;

  constructor(options: ServiceComponentOptions) {
    this.id = options.id;
    this.#options = options;
  }

  get endpoint(): string {
    return this.#options.client.baseUrl;
  }

  /** Once a bench, always marked. */
  get isBench(): boolean {
    return this.#wasBench;
  }

  noteBench(isBench: boolean): void {
    this.#wasBench ||= isBench;
  }

  /** A reading failed: until it is asked for its health, the service counts as not well. */
  noteFailure(thrown: unknown): void {
    if (!(thrown instanceof CodedError) || !LOST.has(thrown.code)) return;
    this.#last = { ...unreachable(thrown), endpoint: this.endpoint, bench: this.#wasBench };
  }

  async check(signal: AbortSignal): Promise<ComponentHealth> {
    const { client, clock, more } = this.#options;
    const startedAt = clock.monotonic();
    let health: ComponentHealth;
    try {
      const answer = await client.get('/health', { signal, allowNotOk: true });
      health = { ...judged(client.baseUrl, answer), ...more?.(answer) };
    } catch (thrown) {
      if (signal.aborted) throw thrown;
      health = unreachable(thrown);
    }
    this.noteBench(health.bench);
    this.#last = {
      ...health,
      endpoint: this.endpoint,
      latencyMs: clock.monotonic() - startedAt,
      bench: this.#wasBench,
    };
    return this.#last;
  }

  known(): Pick<ComponentHealth, 'status' | 'message'> {
    return this.#last ?? { status: 'error', message: `${this.endpoint} was not asked yet` };
  }

  /** Asks now, and again and again until `close`. Resolves with the first answer, or soon. */
  async open(): Promise<void> {
    const { clock } = this.#options;
    const first = this.#ask();
    void this.#watch(first);
    const soon = new AbortController();
    await Promise.race([first, clock.sleep(FIRST_MS, soon.signal).catch(() => {})]);
    soon.abort();
  }

  async close(): Promise<void> {
    this.#end.abort(new Error('the service is shutting down'));
  }

  async #watch(first: Promise<void>): Promise<void> {
    await first;
    const { signal } = this.#end;
    for (let round = 1; ; round++) {
      await this.#options.clock.sleep(WATCH_MS, signal).catch(() => {});
      if (signal.aborted) return;
      if (this.#last?.status !== 'ok' || round % WELL_ROUNDS === 0) await this.#ask();
    }
  }

  async #ask(): Promise<void> {
    // It rejects only when it was aborted.
    await this.check(this.#end.signal).catch(() => {});
  }
}

/** What a service says of its device (services.md 4 and 7). */
function judged(url: string, answer: JsonObject): ComponentHealth {
  const said = messageIn(answer) ?? messageIn(answer.adapter) ?? textIn(answer, 'status');
  const code = textIn(answer, 'code');
  const bench = answer.bench === true;
  if (answer.mock_mode === true || answer.simulated === true) {
    const message = `${url} is in mock mode, its values are simulated; start it with SVC_HARDWARE_MODE=real`;
    return healthOf('incompatible', message, { code: 'sensor_source_simulated', bench });
  }
  if (typeof answer.ok !== 'boolean') {
    const message = `${url}/health does not say whether it is ok; check that the address leads to the service of this rig`;
    return healthOf('incompatible', message, { code: 'corrupt_response', bench });
  }
  if (answer.ok) return healthOf('ok', said ?? 'ok', { bench });
  const { status } = answer;
  const kind: ComponentStatus = status === 'held' || status === 'timeout' ? status : 'error';
  const holder = kind === 'held' ? { holder: holderIn(answer) } : {};
  return healthOf(kind, said ?? `${url} says that it is not ok`, {
    code: code ?? 'device_error',
    bench,
    ...holder,
  });
}

/** For people; :8212 has it in its `adapter`. */
function messageIn(part: unknown): string | undefined {
  if (typeof part !== 'object' || part === null) return undefined;
  const members = part as JsonObject;
  return textIn(members, 'message') ?? textIn(members, 'error');
}

function holderIn({ holder }: JsonObject): LockHolder | null {
  if (typeof holder !== 'object' || holder === null) return null;
  const { service, pid, port, since } = holder as Record<string, unknown>;
  if (typeof service !== 'string' || typeof pid !== 'number' || typeof since !== 'string') return null;
  return { service, pid, port: typeof port === 'number' ? port : null, since };
}

function unreachable(thrown: unknown): ComponentHealth {
  const code = thrown instanceof CodedError ? thrown.code : 'internal_error';
  const kinds: Readonly<Record<string, ComponentStatus>> = {
    device_timeout: 'timeout',
    held_by_other: 'held',
  };
  return healthOf(kinds[code] ?? 'error', messageOf(thrown), { code });
}

function healthOf(
  status: ComponentStatus,
  message: string,
  more: Partial<ComponentHealth> = {},
): ComponentHealth {
  return {
    status,
    compatible: status === 'ok',
    code: null,
    message,
    endpoint: null,
    latencyMs: 0,
    bench: false,
    ...more,
  };
}
