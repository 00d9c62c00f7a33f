import { type ProcessSample, QUANTITIES, type Quantity } from './process-samples.ts';

/** How a quantity of a process has changed between the end of the warm-up and the end of the measurement. */
export interface Drift {
  quantity: Quantity;
  /** Median of the first tenth after the warm-up. */
  before: number;
  /** Median of the last tenth. */
  after: number;
  /** True when it grew by more than 5 %, and by more than a single one of what is counted. */
  hasGrown: boolean;
}

const MOST_GROWTH = 0.05;
/** A request under way counts one socket and one timer more. */
const COUNT_NOISE = 2;
/** A heap grows by a step of this size before it is collected. */
const MEMORY_NOISE_BYTES = 4 * 1024 * 1024;

/** @param samples in the order of time, at least ten of them after the warm-up */
export function driftOf(samples: readonly ProcessSample[], warmUpMs: number): Drift[] {
  const warm = samples.filter(({ atMs }) => atMs >= warmUpMs);
  if (warm.length < 10)
    throw new RangeError(`${warm.length} samples after the warm-up, at least 10 are needed`);
  const tenth = Math.floor(warm.length / 10);
  return QUANTITIES.flatMap((quantity) => {
    const before = median(warm.slice(0, tenth).flatMap((one) => one[quantity] ?? []));
    const after = median(warm.slice(-tenth).flatMap((one) => one[quantity] ?? []));
    if (before === undefined || after === undefined) return [];
    const noise = quantity === 'memoryBytes' ? MEMORY_NOISE_BYTES : COUNT_NOISE;
    const hasGrown = after > before * (1 + MOST_GROWTH) && after - before > noise;
    return [{ quantity, before, after, hasGrown }];
  });
}

function median(values: readonly number[]): number | undefined {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}
