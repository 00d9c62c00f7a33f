import type { DeviceListing } from '../../bench/bench-state.ts';
import type { TraceEntry } from '../../bench/trace/trace-entry.ts';
import type { TracePage } from '../../bench/trace/trace-log.ts';
import { suggest } from '../../scenario/diagnostics/suggest.ts';
import { CliError, usageError } from '../errors/cli-error.ts';
import { EXIT } from '../errors/exit-code.ts';
import { type CallFaults, callService, type ServiceCall } from '../io/call-service.ts';
import type { Io } from '../io/io.ts';

const LIMIT_MS = 10_000;
/** How long the bench may wait for the next entry before it answers without one. */
const WAIT_MS = 5000;

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
  readonly #io: Pick<Io, 'clock'>;
  readonly #faults: CallFaults;

  constructor(url: string, io: Pick<Io, 'clock'>) {
    this.url = url;
    this.#io = io;
    const remedy = 'start svc-bench or npm start, or name its control port with --bench-url or SVC_BENCH_URL';
    this.#faults = {
      unreachable: (why, cause) =>
        new CliError('bench_unreachable', `no bench at ${url} (${why}): ${remedy}`, EXIT.error, { cause }),
      refused: ({ status, detail }) =>
        status < 500 ? usageError(detail) : new CliError('bench_failed', `${url}: ${detail}`, EXIT.error),
    };
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

  /** @param waitMs the answer comes with the first entry after `since`, or after so many milliseconds */
  trace({ device, since = 0 }: TraceQuestion, waitMs = 0, signal?: AbortSignal): Promise<TracePage> {
    const folder = device === undefined ? '' : `${device}/`;
    return this.get(`${folder}trace?since=${since}&wait_ms=${waitMs}`, signal ? { signal } : {});
  }

  /**
   * What is there and then what comes, until `stop` aborts.
   * @throws CliError `bench_unreachable` also when the bench ends
   */
  async *follow({ device, since = 0 }: TraceQuestion, stop: AbortSignal): AsyncGenerator<FollowedLine> {
    let known = since;
    while (!stop.aborted) {
      const page = await this.trace({ device, since: known }, WAIT_MS, stop).catch((fault: unknown) => {
        if (!stop.aborted) throw fault;
      });
      if (page === undefined) return;
      if (page.lost > 0) yield { lost: page.lost };
      yield* page.trace;
      known = page.next;
    }
  }

  get<T>(path: string, limits: Partial<ServiceCall> = {}): Promise<T> {
    return this.#call<T>(path, limits);
  }

  send<T>(method: 'PATCH' | 'POST', path: string, body: unknown, timeoutMs = LIMIT_MS): Promise<T> {
    return this.#call<T>(path, { method, body, timeoutMs });
  }

  /** @throws CliError: `usage` for what the bench refuses, `bench_unreachable` and `bench_failed` with exit code 3 */
  async #call<T>(path: string, call: Partial<ServiceCall>): Promise<T> {
    const limits = { timeoutMs: LIMIT_MS, clock: this.#io.clock };
    return (await callService(`${this.url}/bench/v1/${path}`, { ...limits, ...call }, this.#faults)) as T;
  }
}
