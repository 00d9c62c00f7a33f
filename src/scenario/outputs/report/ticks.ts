/** Round values that divide a range into about `count` parts, for the axes of a plot. */
export function ticks(low: number, high: number, count: number): number[] {
  const span = high - low;
  if (!(span > 0) || !Number.isFinite(span)) return [low];
  const power = 10 ** Math.floor(Math.log10(span / count));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((one) => span / one <= count) ?? 10 * power;
  const decimals = Math.max(0, Math.min(12, -Math.floor(Math.log10(step))));
  const found: number[] = [];
  for (let n = Math.ceil(low / step); n * step <= high + step * 1e-9; n++)
    found.push(Number((n * step).toFixed(decimals)));
  return found;
}
