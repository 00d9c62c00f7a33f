import type { TwinEvent } from '../../devices/twin-event.ts';
import type { Clock } from '../../lib/clock/clock.ts';
import { hexOf } from '../../transports/hex.ts';
import type { TraceEntry } from './trace-entry.ts';
import type { TraceFile } from './trace-file.ts';

export type { TraceEntry } from './trace-entry.ts';

/** A part of the trace, and how to ask for what follows it. */
export interface TracePage {
  trace: TraceEntry[];
  /** Number to give as `since` for the page after this one. */
  next: number;
  /** Entries after `since` that memory no longer has; the file has them. */
  lost: number;
}

export interface TraceQuery {
  /** All devices without it. */
  device?: string | undefined;
  /** Number of the last entry that is known already. Default 0. */
  since?: number | undefined;
  /** Entries at most. Default all. */
  limit?: number | undefined;
}

/**
 * What happened at the twins, in order: the newest entries in memory, all of them in a file when one is given. The file has
 * each entry before the twin goes on, whichever process is killed, this one included.
 */
export class TraceLog {
  readonly #clock: Clock;
  readonly #startedAtMs: number;
  readonly #limit: number;
  readonly #file: TraceFile | undefined;
  readonly #waiting = new Set<() => void>();
  #entries: TraceEntry[] = [];
  #count = 0;

  /** @param options.limit entries kept in memory, default 5000 */
  constructor(options: { clock: Clock; limit?: number; file?: TraceFile | undefined }) {
    this.#clock = options.clock;
    this.#startedAtMs = options.clock.monotonic();
    this.#limit = options.limit ?? 5000;
    this.#file = options.file;
  }

  event(device: string, event: TwinEvent): void {
    if ('bytes' in event) this.#add({ device, ...event, bytes: hexOf(event.bytes) });
    else if (event.kind === 'reenumerate') this.#add({ device, kind: event.kind, away_ms: event.awayMs });
    else this.#add({ device, ...event });
  }

  knobs(device: string, knobs: Record<string, unknown>): void {
    this.#add({ device, kind: 'knobs', knobs });
  }

  /** @param device all devices without it */
  entries(device?: string): TraceEntry[] {
    return this.#entries.filter((entry) => device === undefined || entry.device === device);
  }

  page({ device, since = 0, limit = this.#limit }: TraceQuery): TracePage {
    const oldest = this.#entries[0]?.n ?? this.#count + 1;
    const after = this.entries(device).filter((entry) => entry.n > since);
    const trace = after.slice(0, limit);
    // Without a cut nothing up to the newest entry is left to be asked for, whichever device it is of.
    const next = after.length > trace.length ? (trace.at(-1)?.n ?? since) : Math.max(since, this.#count);
    return { trace, next, lost: Math.max(0, oldest - 1 - since) };
  }

  /** Resolves when there is an entry of the device after `since`, or when `signal` aborts. */
  async arrival({ device, since = 0 }: TraceQuery, signal: AbortSignal): Promise<void> {
    while (!signal.aborted && !this.#entries.some((entry) => entry.n > since && isOf(entry, device))) {
      await new Promise<void>((resolve) => {
        const wake = () => {
          signal.removeEventListener('abort', wake);
          this.#waiting.delete(wake);
          resolve();
        };
        this.#waiting.add(wake);
        signal.addEventListener('abort', wake, { once: true });
      });
    }
  }

  close(): void {
    this.#file?.close();
  }

  #add(entry: Omit<TraceEntry, 'n' | 'at_ms' | 'at'>): void {
    this.#count += 1;
    const whole: TraceEntry = {
      n: this.#count,
      at_ms: Math.round((this.#clock.monotonic() - this.#startedAtMs) * 1000) / 1000,
      at: new Date(this.#clock.now()).toISOString(),
      ...entry,
    };
    this.#entries.push(whole);
    if (this.#entries.length > this.#limit) this.#entries.shift();
    this.#file?.append(JSON.stringify(whole));
    if (this.#waiting.size > 0) for (const wake of [...this.#waiting]) wake();
  }
}

const isOf = (entry: TraceEntry, device: string | undefined) =>
  device === undefined || entry.device === device;
