import type { Limit } from '../../components/plot-limits.ts';

/** The limits of their time in a run chart, whose x axis counts the values from 1: a step wherever they change. */
export function limitSteps(
  points: readonly { readonly low: number | null; readonly high: number | null }[],
): Limit[] {
  const steps: { low: number | null; high: number | null; from: number; to: number }[] = [];
  points.forEach(({ low, high }, at) => {
    const last = steps.at(-1);
    if (last && last.low === low && last.high === high) last.to = at + 1.5;
    else steps.push({ low, high, from: at + 0.5, to: at + 1.5 });
  });
  return steps;
}
