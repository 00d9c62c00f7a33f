import type { DeviceListing } from '../../bench/bench-state.ts';
import type { TracePage } from '../../bench/trace/trace-log.ts';
import { messageOf } from '../../lib/errors/coded-error.ts';
import { suggest } from '../../scenario/diagnostics/suggest.ts';
import { CliError, usageError } from '../errors/cli-error.ts';
import { EXIT } from '../errors/exit-code.ts';
import type { Io } from '../io/io.ts';

const LIMIT_MS = 10_000;

/** The control port of a running svc-bench. */
export class BenchClient {
  readonly url: string;
  readonly #io: Pick<Io, 'fetch' | 'clock'>;

  constructor(url: string, io: Pick<Io, 'fetch' | 'clock'>) {
    this.url = url;
    this.#io = io;
  }

  async devices(): Promise<DeviceListing[]> {
    return (await this.get<{ devices: DeviceListing[] }>('devices')).devices;
  }

  /** @throws CliError `usage`, with the name that was probably meant */
  async device(name: string): Promise<DeviceListing> {
    const devices = await this.devices();
    const found = devices.find(({ device }) => device === name);
    if (found) return found;
    const names = devices.map(({ device }) => device);
    const near = suggest(name, names);
    throw usageError(
      `no device "${name}" on the bench: ${near ? `did you mean ${near}? It` : 'it'} has ${names.join(', ')}`,
    );
  }

  /** @param waitMs how long the bench may wait for the first entry */
  trace(query: {
    device?: string | undefined;
    since?: number | undefined;
    waitMs?: number;
  }): Promise<TracePage> {
    const { device, since, waitMs = 0 } = query;
    const search = new URLSearchParams({ wait_ms: String(waitMs) });
    if (since !== undefined) search.set('since', String(since));
    return this.get<TracePage>(
      `${device === undefined ? '' : `${device}/`}trace?${search}`,
      LIMIT_MS + waitMs,
    );
  }

  get<T>(path: string, limitMs = LIMIT_MS): Promise<T> {
    return this.#request<T>('GET', path, undefined, limitMs);
  }

  send<T>(method: 'PATCH' | 'POST', path: string, body: unknown, limitMs = LIMIT_MS): Promise<T> {
    return this.#request<T>(method, path, body, limitMs);
  }

  /** @throws CliError: `usage` for what the bench refuses, `bench_unreachable` and `bench_failed` with exit code 3 */
  async #request<T>(method: string, path: string, body: unknown, limitMs: number): Promise<T> {
    const limit = new AbortController();
    const cancel = this.#io.clock.after(limitMs, () => limit.abort());
    let response: Response;
    let answer: unknown;
    try {
      response = await this.#io.fetch(`${this.url}/bench/v1/${path}`, {
        method,
        signal: limit.signal,
        ...(body === undefined
          ? {}
          : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
      });
      answer = await response.json();
    } catch (cause) {
      throw this.#unreachable(
        limit.signal.aborted ? `no answer within ${limitMs / 1000} s` : reasonOf(cause),
        cause,
      );
    } finally {
      cancel();
    }
    if (response.ok) return answer as T;
    const { detail } = answer as { detail?: string };
    if (detail === undefined)
      throw this.#unreachable(`answers ${response.status} without a reason`, undefined);
    if (response.status < 500) throw usageError(detail);
    throw new CliError('bench_failed', `${this.url}: ${detail}`, EXIT.error);
  }

  #unreachable(why: string, cause: unknown): CliError {
    return new CliError(
      'bench_unreachable',
      `no bench at ${this.url} (${why}): start svc-bench or npm start, or name its control port with --bench-url or SVC_BENCH_URL`,
      EXIT.error,
      { cause },
    );
  }
}

/** fetch says "fetch failed" and hides the reason below it. */
function reasonOf(thrown: unknown): string {
  const cause = thrown instanceof Error ? thrown.cause : undefined;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : undefined;
  return code === 'ECONNREFUSED' ? 'nobody listens there' : (code ?? messageOf(thrown));
}
