import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TraceEntry } from '../../../src/bench/trace/trace-entry.ts';
import { TwinTrace } from './twin-trace.ts';

/** When a written trace begins, wall clock. */
export const START_MS = Date.parse('2025-01-15T10:00:00.000Z');

export type Move = Pick<TraceEntry, 'kind'> & Partial<TraceEntry>;
export const coil = (number: number, on: boolean): Move => ({ kind: 'coil', coil: number, on });
export const pump = (fraction: number): Move => ({ kind: 'drive', fraction });
export const lung = (velocity: number, energized: boolean): Move => ({ kind: 'motion', velocity, energized });

/** One line of a trace file. */
export const traceLine = (atMs: number, move: Move): string =>
  `${JSON.stringify({ n: 1, device: 'any', at: new Date(START_MS + atMs).toISOString(), ...move })}\n`;

/** @param moves when, milliseconds since the start, and what */
export function traceOf(
  folder: string,
  moves: readonly (readonly [atMs: number, move: Move])[],
  hasLung = true,
): TwinTrace {
  const path = join(folder, 'trace.ndjson');
  writeFileSync(path, moves.map(([atMs, move]) => traceLine(atMs, move)).join(''));
  const trace = new TwinTrace(path, { lung: hasLung });
  trace.advance();
  return trace;
}
