import type { Clock } from '../../lib/clock/clock.ts';
import { type ExchangeJsonOptions, exchangeJson } from '../../transports/http/exchange-json.ts';
import { whyNoAnswer } from '../../transports/http/http-fault.ts';
import { CliError } from '../errors/cli-error.ts';

/** Largest answer that is read: the whole trace of a bench. */
const MAX_BYTES = 16 * 1024 * 1024;

export type JsonObject = Readonly<Record<string, unknown>>;

export interface ServiceCall extends Pick<ExchangeJsonOptions, 'method' | 'body' | 'signal' | 'headers'> {
  token?: string | undefined;
  /** Milliseconds for the whole exchange. */
  timeoutMs: number;
  clock: Clock;
}

/** How a command reports what became of its call. */
export interface CallFaults {
  /** @param why half a sentence: no connection, no answer in time, an answer that is none of ours */
  unreachable(why: string, cause?: unknown): CliError;
  /** The service answered with a problem. */
  refused(problem: { status: number; code: string; detail: string }): CliError;
}

/** One call of a service, sent once, no redirect followed. @returns the object of a 2xx answer; @throws CliError as `faults` */
export async function callService(url: string, call: ServiceCall, faults: CallFaults): Promise<JsonObject> {
  try {
    const { status, value } = await send(url, call);
    if (status < 300 && isObject(value)) return value;
    const { code, detail } = isObject(value) ? value : {};
    if (typeof detail !== 'string')
      throw faults.unreachable(`the answer has status ${status} and gives no reason`);
    throw faults.refused({ status, code: String(code), detail });
  } catch (thrown) {
    if (thrown instanceof CliError || call.signal?.aborted) throw thrown;
    throw faults.unreachable(whyNoAnswer(thrown), thrown);
  }
}

/** @returns the object that a service answers a GET with, whatever its status; undefined without one */
export async function askService(url: string, call: ServiceCall): Promise<JsonObject | undefined> {
  const { value } = await send(url, call).catch(() => ({ value: undefined }));
  return isObject(value) ? value : undefined;
}

const send = (url: string, { token, ...call }: ServiceCall) =>
  exchangeJson(url, { ...call, maxBytes: MAX_BYTES, ...(token ? { token } : {}) });

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
