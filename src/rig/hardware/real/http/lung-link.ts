import * as z from 'zod';
import type { Clock } from '../../../../lib/clock/clock.ts';
import { CodedError, messageOf } from '../../../../lib/errors/coded-error.ts';
import type { ComponentHealth, ComponentStatus } from '../../ports.ts';
import { RigError } from '../../rig-error.ts';
import type { ServiceClient } from './service-client.ts';

const RETRY_MS = 5000;
const SERVICE = 'svc-lung';

const healthSchema = z.object({
  service: z.string(),
  ok: z.boolean(),
  status: z.string(),
  code: z.string().nullable().optional(),
  message: z.string(),
  mock_mode: z.boolean(),
  bench: z.boolean(),
  holder: z
    .object({ service: z.string(), pid: z.int(), port: z.int().nullable(), since: z.string() })
    .nullable()
    .optional(),
});

const STATUSES: readonly ComponentStatus[] = ['error', 'timeout', 'held', 'config_error', 'incompatible'];

export interface LungLinkOptions {
  client: ServiceClient;
  clock: Clock;
  /** It is usable again after it was not. */
  onReturn: () => void;
}

/** Whether svc-lung is there, is the one that is wanted, and has its device. Asked again every 5 s while it is not. */
export class LungLink {
  readonly #options: LungLinkOptions;
  #health: ComponentHealth | undefined;
  #wasUnusable = false;
  #isClosed = false;
  #cancelRetry = () => {};
  /** The service behind the address has said that it is a svc-lung in real mode. */
  #isIdentified = false;
  #bench = false;

  constructor(options: LungLinkOptions) {
    this.#options = options;
  }

  /** As last heard; undefined before the first time. */
  get health(): ComponentHealth | undefined {
    return this.#health;
  }

  /** Once a bench, always marked. */
  get bench(): boolean {
    return this.#bench;
  }

  noteBench(bench: boolean): void {
    this.#bench ||= bench;
  }

  /** Asks /health. Never throws. */
  async check(signal?: AbortSignal): Promise<ComponentHealth> {
    const { client, clock } = this.#options;
    const startedAt = clock.monotonic();
    const found = await this.#ask(signal);
    // Who asked has given up: that says nothing about the service.
    if (!signal?.aborted) this.#note(found);
    const latencyMs = clock.monotonic() - startedAt;
    return { ...found, latencyMs, endpoint: client.baseUrl, bench: this.#bench };
  }

  /** @throws RigError `wrong_device`, or why it cannot be asked; nothing may be sent to it then */
  async mustBeReal(signal?: AbortSignal): Promise<void> {
    if (this.#isIdentified) return;
    const { status, code, message } = await this.check(signal);
    if (this.#isIdentified) return;
    const kind = status === 'incompatible' ? 'wrong_device' : (code ?? 'device_unavailable');
    throw new RigError(kind, 'lung-motor', message);
  }

  /** A call failed on the way, or was not answered as it should. */
  failed(error: RigError): void {
    this.#isIdentified = false;
    this.#note(unusable('error', error.code, error.message));
  }

  close(): void {
    this.#isClosed = true;
    this.#cancelRetry();
  }

  async #ask(signal: AbortSignal | undefined): Promise<ComponentHealth> {
    const { client } = this.#options;
    try {
      const body = await client.get('/health', { allowNotOk: true, ...(signal ? { signal } : {}) });
      const result = healthSchema.safeParse(body);
      if (!result.success || result.data.service !== SERVICE) {
        this.#isIdentified = false;
        const who = result.success ? result.data.service : 'something else';
        const message = `lung-motor: ${client.baseUrl} is ${who}, not ${SERVICE}; check the base_url`;
        return unusable('incompatible', 'wrong_device', message);
      }
      return this.#judge(result.data);
    } catch (thrown) {
      this.#isIdentified = false;
      const code = thrown instanceof CodedError ? thrown.code : 'internal_error';
      return unusable(code === 'device_timeout' ? 'timeout' : 'error', code, messageOf(thrown));
    }
  }

  #judge(told: z.output<typeof healthSchema>): ComponentHealth {
    const { client } = this.#options;
    this.#isIdentified = !told.mock_mode;
    if (told.mock_mode) {
      const message = `lung-motor: ${SERVICE} at ${client.baseUrl} is in mock mode; start it with SVC_HARDWARE_MODE=real`;
      return unusable('incompatible', 'wrong_device', message);
    }
    this.noteBench(told.bench);
    if (told.ok) return { ...unusable('ok', null, told.message), compatible: true };
    const status = STATUSES.find((one) => one === told.status) ?? 'error';
    const health = unusable(status, told.code ?? 'device_unavailable', told.message);
    return told.holder === undefined ? health : { ...health, holder: told.holder };
  }

  #note(health: ComponentHealth): void {
    this.#health = health;
    this.#cancelRetry();
    if (this.#isClosed) return;
    if (health.status !== 'ok') {
      this.#wasUnusable = true;
      this.#cancelRetry = this.#options.clock.after(RETRY_MS, () => void this.check());
    } else if (this.#wasUnusable) {
      this.#wasUnusable = false;
      this.#options.onReturn();
    }
  }
}

const unusable = (status: ComponentStatus, code: string | null, message: string): ComponentHealth => ({
  status,
  compatible: false,
  code,
  message,
  endpoint: null,
  latencyMs: 0,
  bench: false,
});
