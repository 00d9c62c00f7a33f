/** The limits that a value was judged by, in its unit; null: there is none on that side. */
export interface Limits {
  readonly low: number | null;
  readonly high: number | null;
}

export const sameLimits = (one: Limits, other: Limits): boolean =>
  one.low === other.low && one.high === other.high;
