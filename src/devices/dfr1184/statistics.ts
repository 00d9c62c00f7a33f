/** What the module's line has been through since its driver was made; all counts only grow. */
export interface UartStatistics {
  samples: number;
  /** Answers that did not come within 1 s. */
  timeouts: number;
  /** Answers refused: short, too long, out of range, not OK, or with stray bytes before them. */
  corrupt: number;
  /** Selections of an input that the read-back showed as lost. */
  lostSelections: number;
  /** Good resyncs. */
  resyncs: number;
  /** Samples and readings that were taken a second time after a resync. */
  repeats: number;
  /** Times the port was opened. */
  opens: number;
  /** Times it went away on its own. */
  losses: number;
}

export const noStatistics = (): UartStatistics => ({
  samples: 0,
  timeouts: 0,
  corrupt: 0,
  lostSelections: 0,
  resyncs: 0,
  repeats: 0,
  opens: 0,
  losses: 0,
});
