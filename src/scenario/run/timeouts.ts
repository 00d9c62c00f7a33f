/** Milliseconds. */
export interface Timeouts {
  readonly commandMs: number;
  readonly goalMs: number;
  readonly runMs: number;
  readonly teardownMs: number;
}

export const DEFAULT_TIMEOUTS: Timeouts = {
  commandMs: 15_000,
  goalMs: 15 * 60_000,
  runMs: 2 * 3_600_000,
  teardownMs: 60_000,
};
