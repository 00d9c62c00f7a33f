/** Upper bounds of the classes of `Durations.counts`, milliseconds; the last class has none. */
export const DURATION_BOUNDS_MS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000] as const;

/** How long something took, seen many times. All milliseconds; a plain object, so that it can be sent as JSON. */
export interface Durations {
  count: number;
  sumMs: number;
  /** null while nothing was seen. */
  minMs: number | null;
  maxMs: number | null;
  /** One count for each of `DURATION_BOUNDS_MS` and one for all above. */
  counts: number[];
}

export const noDurations = (): Durations => ({
  count: 0,
  sumMs: 0,
  minMs: null,
  maxMs: null,
  counts: new Array<number>(DURATION_BOUNDS_MS.length + 1).fill(0),
});

export function record(durations: Durations, ms: number): void {
  durations.count += 1;
  durations.sumMs += ms;
  durations.minMs = Math.min(durations.minMs ?? ms, ms);
  durations.maxMs = Math.max(durations.maxMs ?? ms, ms);
  let index = 0;
  while (ms > (DURATION_BOUNDS_MS[index] ?? Number.POSITIVE_INFINITY)) index += 1;
  durations.counts[index] = (durations.counts[index] ?? 0) + 1;
}

/** Milliseconds; null while nothing was seen. */
export const meanMs = ({ count, sumMs }: Durations): number | null => (count === 0 ? null : sumMs / count);
