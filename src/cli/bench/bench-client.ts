import type { DeviceListing } from '../../bench/bench-state.ts';
import type { TraceEntry } from '../../bench/trace/trace-entry.ts';
import type { TracePage } from '../../bench/trace/trace-log.ts';
import { messageOf } from '../../lib/errors/coded-error.ts';
import { suggest } from '../../scenario/diagnostics/suggest.ts';
import { CliError, usageError } from '../errors/cli-error.ts';
import { EXIT } from '../errors/exit-code.ts';
import type { Io } from '../io/io.ts';
import { linesOf } from './lines-of.ts';

const LIMIT_MS = 10_000;

export interface TraceQuestion {
  device?: string | undefined;
  /** Number of the last entry that is known already; default 0. */
  since?: number | undefined;
}

/** An entry, or how many the bench no longer has in its memory. */
export type FollowedLine = TraceEntry | { lost: number };

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

  trace({ device, since = 0 }: TraceQuestion): Promise<TracePage> {
    return this.get<TracePage>(`${folderOf(device)}trace?since=${since}`);
  }

  /**
   * What is there and then what comes, until `stop` aborts.
   * @throws CliError `bench_unreachable` also when the bench ends
   */
  async *follow({ device, since = 0 }: TraceQuestion, stop: AbortSignal): AsyncGenerator<FollowedLine> {
    const url = `${this.url}/bench/v1/${folderOf(device)}trace.ndjson?follow=true&since=${since}`;
    const limit = new AbortController();
    const cancel = this.#io.clock.after(LIMIT_MS, () =>
      limit.abort(new Error(`no answer within ${LIMIT_MS / 1000} s`)),
    );
    try {
      const response = await this.#io.fetch(url, { signal: AbortSignal.any([stop, limit.signal]) });
      cancel();
      if (!response.ok || !response.body) throw this.#refused(response.status, await response.json());
      for await (const line of linesOf(response.body)) yield JSON.parse(line) as FollowedLine;
    } catch (cause) {
      if (stop.aborted) return;
      throw cause instanceof CliError ? cause : this.#unreachable(reasonOf(cause), cause);
    } finally {
      cancel();
    }
    throw this.#unreachable('it has ended', undefined);
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
    throw this.#refused(response.status, answer);
  }

  #refused(status: number, answer: unknown): CliError {
    const { detail } = answer as { detail?: string };
    if (detail === undefined) return this.#unreachable(`answers ${status} without a reason`, undefined);
    if (status < 500) return usageError(detail);
    return new CliError('bench_failed', `${this.url}: ${detail}`, EXIT.error);
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

const folderOf = (device: string | undefined) => (device === undefined ? '' : `${device}/`);

/** fetch says "fetch failed" and hides the reason below it. */
function reasonOf(thrown: unknown): string {
  const cause = thrown instanceof Error ? thrown.cause : undefined;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : undefined;
  return code === 'ECONNREFUSED' ? 'nobody listens there' : (code ?? messageOf(thrown));
}
