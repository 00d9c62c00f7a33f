/** Waits between attempts to open a port, milliseconds: 200, 400 ... 5000, 5000 (devices.md section 10.4). */
export function* backOff(firstMs = 200, longestMs = 5000): Generator<number, never> {
  for (let waitMs = firstMs; ; waitMs = Math.min(2 * waitMs, longestMs)) yield waitMs;
}
