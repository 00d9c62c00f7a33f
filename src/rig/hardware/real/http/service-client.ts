import type * as z from 'zod';
import type { Clock } from '../../../../lib/clock/clock.ts';
import { isProblemCode, type ProblemCode, problemKind } from '../../../../lib/http/problem-table.ts';
import type { Milliseconds } from '../../../../lib/quantity.ts';
import { exchangeJson, TransportError } from '../../../../transports/index.ts';
import { RigError } from '../../rig-error.ts';

export interface ServiceClientOptions {
  /** Plugin id, for messages. */
  device: string;
  /** Configured base URL; the token goes to it and nowhere else. */
  baseUrl: string;
  token: string | undefined;
  clock: Clock;
  /** Milliseconds of one call, at most 2500. */
  timeoutMs: Milliseconds;
  /** Says that a bridge calls, which then holds the service. */
  bridgeId?: (() => string) | undefined;
}

export interface CallOptions {
  signal?: AbortSignal | undefined;
  timeoutMs?: Milliseconds;
  /** An answer with `ok: false` and status 200 is not a failure: a health that reports what is wrong. */
  allowNotOk?: boolean;
}

export type JsonObject = Readonly<Record<string, unknown>>;

const MAX_BYTES = 65_536;

/** Asks the service that owns a device. Each call is sent once; no other address is ever tried. */
export class ServiceClient {
  readonly #options: ServiceClientOptions;

  constructor(options: ServiceClientOptions) {
    this.#options = options;
  }

  get baseUrl(): string {
    return this.#options.baseUrl;
  }

  /**
   * @throws RigError `device_unavailable`, `device_timeout`, `corrupt_response`, or the code of the service's own
   * problem
   */
  get(path: string, options: CallOptions = {}): Promise<JsonObject> {
    return this.#call('GET', path, undefined, options);
  }

  /** @throws as `get`; after `device_timeout` and `corrupt_response` it may have been done */
  post(path: string, body: JsonObject, options: CallOptions = {}): Promise<JsonObject> {
    return this.#call('POST', path, body, options);
  }

  async #call(
    method: 'GET' | 'POST',
    path: string,
    body: JsonObject | undefined,
    { signal, timeoutMs, allowNotOk }: CallOptions,
  ): Promise<JsonObject> {
    const { baseUrl, token, clock, bridgeId } = this.#options;
    const url = baseUrl.replace(/\/$/, '') + path;
    const answer = await exchangeJson(url, {
      method,
      clock,
      maxBytes: MAX_BYTES,
      timeoutMs: Math.min(timeoutMs ?? this.#options.timeoutMs, this.#options.timeoutMs),
      ...(body === undefined ? {} : { body }),
      ...(token === undefined ? {} : { token }),
      ...(bridgeId ? { headers: { 'x-bridge-id': bridgeId() } } : {}),
      ...(signal ? { signal } : {}),
    }).catch((thrown: unknown) => {
      throw this.#failed(thrown);
    });
    const { status, value } = answer;
    if (!isObject(value))
      throw this.#corrupt(`${method} ${url} was answered with ${status} and no JSON object`);
    if (status === 200 && (value.ok !== false || allowNotOk)) return value;
    throw this.#refused(status, value);
  }

  /** What the service says of the device passes; what it says of our request is a fault between the two services. */
  #refused(status: number, { code, error, detail, data, holder }: JsonObject): RigError {
    const passed = typeof code === 'string' && isProblemCode(code) && isAboutDevice(code) ? code : undefined;
    const sentence = [error, detail].find((text) => typeof text === 'string') ?? `status ${status}`;
    return new RigError(
      passed ?? 'device_error',
      this.#options.device,
      passed === undefined ? `${sentence} (${code ?? status} of ${this.baseUrl})` : String(sentence),
      undefined,
      { ...(data === undefined ? {} : { data }), ...(holder === undefined ? {} : { holder }) },
    );
  }

  /** The members of an answer that are needed. @throws RigError `corrupt_response` */
  parsed<S extends z.ZodType>(path: string, schema: S, answer: JsonObject): z.output<S> {
    const result = schema.safeParse(answer);
    if (result.success) return result.data;
    const [issue] = result.error.issues;
    throw this.corrupt(path, `with ${issue?.path.join('.') || 'its body'}: ${issue?.message}`);
  }

  /** What an answer must have and has not. */
  corrupt(path: string, what: string): RigError {
    return this.#corrupt(`${this.baseUrl}${path} answered ${what}`);
  }

  #corrupt(text: string): RigError {
    const remedy = 'check that the address leads to the service of this rig, in the same version';
    return new RigError('corrupt_response', this.#options.device, `${text}; ${remedy}`);
  }

  #failed(thrown: unknown): unknown {
    const { device } = this.#options;
    if (!(thrown instanceof TransportError)) return thrown;
    const codes: Readonly<Record<string, ProblemCode>> = {
      timeout: 'device_timeout',
      not_json: 'corrupt_response',
      too_large: 'corrupt_response',
    };
    const code = codes[thrown.reason ?? ''] ?? 'device_unavailable';
    return new RigError(code, device, thrown.message, thrown);
  }
}

function isAboutDevice(code: ProblemCode): boolean {
  const { status } = problemKind(code);
  return status === 409 || status === 422 || status > 500;
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
