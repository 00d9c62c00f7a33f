export type Point = readonly [t: number, value: number | null];

/**
 * At most about `4 * buckets` points that draw the same line: of each stretch of time the first, the lowest, the highest
 * and the last point stay, and every gap stays a gap. No peak is lost.
 */
export function thin(points: readonly Point[], buckets: number): readonly Point[] {
  if (points.length <= 4 * buckets) return points;
  const size = Math.ceil(points.length / buckets);
  const kept: Point[] = [];
  for (let start = 0; start < points.length; start += size) {
    const bucket = points.slice(start, start + size);
    const values = bucket.flatMap(([, value]) => (value === null ? [] : [value]));
    const low = values.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
    const high = values.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
    const wanted = new Set([
      0,
      bucket.length - 1,
      bucket.findIndex(([, value]) => value === low),
      bucket.findIndex(([, value]) => value === high),
      bucket.findIndex(([, value]) => value === null),
    ]);
    kept.push(...bucket.filter((_, index) => wanted.has(index)));
  }
  return kept;
}
