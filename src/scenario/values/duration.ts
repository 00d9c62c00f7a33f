import { formatNumber, scanNumber } from './number.ts';

const SUFFIX_MS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, min: 60_000, h: 3_600_000 };

/**
 * The one duration parser of the language: `500`, `500ms`, `'1.5 s'`, `1,5 s`, `2m` = 2 min, `1h`; without suffix
 * milliseconds. Undefined when it is not a duration, negative or not finite.
 */
export function parseDuration(text: string): number | undefined {
  const trimmed = text.trim();
  const scanned = scanNumber(trimmed);
  if (!scanned || scanned.grouped) return undefined;
  const suffix = scanned.end === trimmed.length ? 'ms' : trimmed.slice(scanned.end).trim();
  const factor = Object.hasOwn(SUFFIX_MS, suffix) ? SUFFIX_MS[suffix] : SUFFIX_MS[suffix.toLowerCase()];
  if (typeof factor !== 'number') return undefined;
  const ms = scanned.value * factor;
  return Number.isFinite(ms) && ms >= 0 ? (Object.is(ms, -0) ? 0 : ms) : undefined;
}

/** The shortest exact text of a duration: `500 ms`, `1.5 s`, `2 min`, `1 h`. */
export function formatDuration(ms: number): string {
  let best = `${formatNumber(ms)} ms`;
  for (const suffix of ['s', 'min', 'h'] as const) {
    const factor = SUFFIX_MS[suffix]!;
    const amount = ms / factor;
    const candidate = `${formatNumber(amount)} ${suffix}`;
    if (amount * factor === ms && candidate.length <= best.length) best = candidate;
  }
  return best;
}
