/** Shorter than the 5 s within which a return is noticed: looking and opening take their time as well. */
const LONGEST_MS = 4500;

/** Waits between attempts to open a device, milliseconds: 200, 400 ... 3200, 4500, 4500. */
export function* backOff(): Generator<number, never> {
  for (let waitMs = 200; ; waitMs = Math.min(2 * waitMs, LONGEST_MS)) yield waitMs;
}
