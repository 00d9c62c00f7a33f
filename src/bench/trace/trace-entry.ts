import type { TwinEvent } from '../../devices/twin-event.ts';

/** One line of the witness. */
export interface TraceEntry {
  n: number;
  /** Milliseconds of the bench's clock since it started. */
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
  /** Microsteps. */
  position?: number;
  /** Microsteps per second. */
  velocity?: number;
  energized?: boolean;
  /** Contact of the relay in the supply. */
  closed?: boolean;
  away_ms?: number;
  note?: string;
  knobs?: Record<string, unknown>;
}
