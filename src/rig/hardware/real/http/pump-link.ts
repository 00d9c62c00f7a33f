import * as z from 'zod';
import type { Clock } from '../../../../lib/clock/clock.ts';
import { CodedError, messageOf } from '../../../../lib/errors/coded-error.ts';
import type { ComponentHealth, ComponentStatus } from '../../ports.ts';
import { RigError } from '../../rig-error.ts';
import type { ServiceClient } from './service-client.ts';

const DEVICE = 'pump-motor';
/** The return of a device is noticed within 5 s (devices specification, section 10.5), the asking included. */
const RETRY_MS = 4000;

const healthSchema = z.object({
  service: z.literal('svc-pump'),
  ok: z.boolean(),
  status: z.string(),
  message: z.string(),
  identified: z.boolean(),
  mock_mode: z.boolean(),
  bench: z.boolean(),
  holder: z
    .object({ service: z.string(), pid: z.int(), port: z.int().nullable(), since: z.string() })
    .nullable(),
});

/** What is wrong with a pump that its service is not well with. */
const FAULTS: Readonly<Record<string, readonly [ComponentStatus, code: string]>> = {
  held: ['held', 'held_by_other'],
  timeout: ['timeout', 'device_timeout'],
  incompatible: ['incompatible', 'wrong_device'],
};

export interface PumpLinkOptions {
  client: ServiceClient;
  clock: Clock;
  /** Service and device are well again after they were not. */
  onReturn: () => void;
}

/** Whether svc-pump is there, moves a real pump, and has it under control. Asked again within 5 s while it is not. */
export class PumpLink {
  readonly #options: PumpLinkOptions;
  #health: ComponentHealth;
  #wasUnwell = false;
  #isReal = false;
  #bench = false;
  #isClosed = false;
  #cancelRetry = () => {};

  constructor(options: PumpLinkOptions) {
    this.#options = options;
    this.#health = healthOf('error', null, `${options.client.baseUrl} was not asked yet`);
  }

  /** As last heard. */
  get health(): ComponentHealth {
    return this.#health;
  }

  /** As the service said last. */
  get bench(): boolean {
    return this.#bench;
  }

  noteBench(bench: boolean): void {
    this.#bench = bench;
  }

  /** Asks /health. Never throws. */
  async check(signal?: AbortSignal): Promise<ComponentHealth> {
    const { client, clock } = this.#options;
    const startedAt = clock.monotonic();
    const found = await this.#ask(signal);
    // Whoever asked gave up: that says nothing about the service.
    if (!signal?.aborted) this.#note(found);
    const latencyMs = clock.monotonic() - startedAt;
    return { ...found, endpoint: client.baseUrl, latencyMs, bench: this.#bench };
  }

  /** @throws RigError `wrong_device`, or why it cannot be asked; nothing may be sent to it then */
  async mustBeReal(signal?: AbortSignal): Promise<void> {
    if (this.#isReal) return;
    const { code, message } = await this.check(signal);
    signal?.throwIfAborted();
    if (!this.#isReal) throw new RigError(code ?? 'device_unavailable', DEVICE, message);
  }

  /** A call failed in a way that says that service or device are not well. */
  failed(thrown: unknown): void {
    this.#isReal = false;
    this.#note(unreachable(thrown));
  }

  close(): void {
    this.#isClosed = true;
    this.#cancelRetry();
  }

  async #ask(signal: AbortSignal | undefined): Promise<ComponentHealth> {
    const { client } = this.#options;
    this.#isReal = false;
    try {
      const answer = await client.get('/health', { allowNotOk: true, signal });
      const told = healthSchema.safeParse(answer);
      if (told.success) return this.#judge(told.data);
      const who = typeof answer.service === 'string' ? answer.service : 'a program without a name';
      const text = `${client.baseUrl} is ${who}, or not in this version; lead plugins.pump-motor to svc-pump`;
      return healthOf('incompatible', 'wrong_device', text);
    } catch (thrown) {
      return unreachable(thrown);
    }
  }

  #judge(told: z.output<typeof healthSchema>): ComponentHealth {
    this.#bench = told.bench;
    this.#isReal = !told.mock_mode;
    if (told.mock_mode) {
      const text = `${this.#options.client.baseUrl} is in mock mode and moves no pump; start svc-pump with SVC_HARDWARE_MODE=real`;
      return healthOf('incompatible', 'wrong_device', text);
    }
    if (told.ok && told.identified) return healthOf('ok', null, told.message);
    const [status, code] = FAULTS[told.status] ?? ['error', 'device_error'];
    const health = healthOf(status, code, told.message);
    return status === 'held' ? { ...health, holder: told.holder } : health;
  }

  #note(health: ComponentHealth): void {
    this.#health = health;
    this.#cancelRetry();
    if (this.#isClosed) return;
    if (health.status !== 'ok') {
      this.#wasUnwell = true;
      this.#cancelRetry = this.#options.clock.after(RETRY_MS, () => void this.check());
    } else if (this.#wasUnwell) {
      this.#wasUnwell = false;
      this.#options.onReturn();
    }
  }
}

function unreachable(thrown: unknown): ComponentHealth {
  const code = thrown instanceof CodedError ? thrown.code : 'internal_error';
  return healthOf(code === 'device_timeout' ? 'timeout' : 'error', code, messageOf(thrown));
}

function healthOf(status: ComponentStatus, code: string | null, message: string): ComponentHealth {
  return {
    status,
    compatible: status === 'ok',
    code,
    message,
    endpoint: null,
    latencyMs: 0,
    bench: false,
  };
}
