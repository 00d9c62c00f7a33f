import type { Instruction } from '../program/instruction.ts';
import { formatDuration } from '../values/duration.ts';
import type { Analysis } from './analysis.ts';
import type { BlockTime } from './walk-blocks.ts';

/** The safe state takes no longer. */
const SAFE_STATE_MS = 5000;

/** The longest time that the run may take, seconds; undefined without a bound. Reports when that is too long. */
export function checkRunTime(times: readonly BlockTime[], analysis: Analysis): number | undefined {
  const totalMs = times.reduce((sum, { ms }) => sum + ms, SAFE_STATE_MS);
  if (!Number.isFinite(totalMs)) return undefined;
  const { runMaxS } = analysis.options.limits;
  const seconds = totalMs / 1000;
  const longest = times.reduce<BlockTime | undefined>((a, b) => (a && a.ms >= b.ms ? a : b), undefined);
  if (seconds <= runMaxS || !longest) return seconds;
  const { block, ms, slowest } = longest;
  const place: Pick<Instruction, 'pos' | 'stack'> = slowest ?? { pos: block.pos };
  const part = `"${block.name}" takes up to ${about(ms)} of it, most of that here`;
  analysis.findings.add(
    'SCN273',
    'run',
    `the run may take ${about(totalMs)}, more than limits.run.max_duration_s in svc.yaml allows (${about(runMaxS * 1000)}); ${part}; shorten pauses, rounds or retries`,
    place,
  );
  return seconds;
}

const UNITS = [
  [3_600_000, 'h'],
  [60_000, 'min'],
  [1000, 's'],
] as const;

/** Rounded for people: `13.5 h`, `2 min`. */
export function about(ms: number): string {
  const [size, unit] = UNITS.find(([one]) => ms >= one) ?? [1, 'ms'];
  return size === 1 ? formatDuration(Math.round(ms)) : `${Number((ms / size).toFixed(1))} ${unit}`;
}
