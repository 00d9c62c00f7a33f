/** What the exchange with a chip has been through since its process started; all counts only grow. */
export interface HidStatistics {
  requests: number;
  /** Requests whose own answer was taken. */
  answers: number;
  timeouts: number;
  /** Answers refused: short, or with contents that the chip cannot mean. */
  corrupt: number;
  /** Reports thrown away because no caller waited. */
  unsolicited: number;
  /** Reports thrown away because they answer another command than the one that was waited for. */
  others: number;
  /** Reports thrown away because they came sooner after their request than a chip can answer. */
  early: number;
  /** Readings thrown away because a report came that was not requested. */
  distrusted: number;
  /** Exchanges that served only to tell old answers from new ones. */
  syncRequests: number;
  /** Requests to a silent chip, to hear whether it answers again. */
  pings: number;
  /** Second attempts of a read. */
  repeats: number;
  /** Exchanges given up by a caller, a deadline or a safe-state command after their request was sent. */
  abandoned: number;
  /** Times the chip was found with other settings than its own and was set up anew. */
  setUps: number;
  opens: number;
  /** Times the device went away on its own. */
  losses: number;
}

export const noStatistics = (): HidStatistics => ({
  requests: 0,
  answers: 0,
  timeouts: 0,
  corrupt: 0,
  unsolicited: 0,
  others: 0,
  early: 0,
  distrusted: 0,
  syncRequests: 0,
  pings: 0,
  repeats: 0,
  abandoned: 0,
  setUps: 0,
  opens: 0,
  losses: 0,
});
