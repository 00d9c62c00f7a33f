import { closeSync, openSync, writeSync } from 'node:fs';
import type { TwinEvent } from '../../devices/twin-event.ts';
import type { Clock } from '../../lib/clock/clock.ts';
import { hexOf } from '../../transports/hex.ts';

/** One line of the witness. */
export interface TraceEntry {
  n: number;
  /** Monotonic milliseconds since the bench started. */
  at_ms: number;
  /** Wall clock, ISO 8601. */
  at: string;
  device: string;
  kind: TwinEvent['kind'] | 'knobs';
  /** Frame as hex bytes. */
  bytes?: string;
  coil?: number;
  on?: boolean;
  fraction?: number;
  duty?: number;
  enabled?: boolean;
  note?: string;
  knobs?: Record<string, unknown>;
}

/**
 * What happened at the twins, in order: the newest entries in memory, all of them in a file when one is named. Each
 * entry is handed to the kernel before the twin goes on, so that the file is whole whichever process is killed, this
 * one included.
 */
export class TraceLog {
  readonly #clock: Clock;
  readonly #startedAtMs: number;
  readonly #limit: number;
  readonly #file: number | undefined;
  #entries: TraceEntry[] = [];
  #count = 0;

  /** @param options.limit entries kept in memory, default 5000 */
  constructor(options: { clock: Clock; limit?: number; path?: string }) {
    this.#clock = options.clock;
    this.#startedAtMs = options.clock.monotonic();
    this.#limit = options.limit ?? 5000;
    this.#file = options.path === undefined ? undefined : openSync(options.path, 'a');
  }

  event(device: string, event: TwinEvent): void {
    this.#add('bytes' in event ? { device, ...event, bytes: hexOf(event.bytes) } : { device, ...event });
  }

  knobs(device: string, knobs: Record<string, unknown>): void {
    this.#add({ device, kind: 'knobs', knobs });
  }

  /** @param device all devices without it */
  entries(device?: string): TraceEntry[] {
    return this.#entries.filter((entry) => device === undefined || entry.device === device);
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
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
    if (this.#file !== undefined) writeSync(this.#file, `${JSON.stringify(whole)}\n`);
  }
}
