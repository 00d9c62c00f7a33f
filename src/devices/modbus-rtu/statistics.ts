import { type Durations, noDurations } from './durations.ts';

/** What a line has been through since its process started; all counts only grow. */
export interface LineStatistics {
  requests: number;
  /** Requests answered by a whole and matching frame, exceptions included. */
  replies: number;
  exceptions: number;
  timeouts: number;
  /** Answers refused for any reason, CRC included. */
  corrupt: number;
  crcErrors: number;
  /** Replies among them that arrived sooner than the line can carry one. */
  early: number;
  /** Readings asked again because their reply was already there when a held-up program looked for it. */
  untimed: number;
  /** Attempts after the first. */
  repeats: number;
  /** Bytes thrown away because no exchange was waiting for them. */
  discardedBytes: number;
  /** Whole replies among them: answers that came after their request was given up. */
  lateFrames: number;
  /** Exchanges given up by a caller, a deadline or a safe-state command after their request was sent. */
  abandoned: number;
  /** Frames that can only switch off and were sent without waiting until the line was quiet. */
  sentAhead: number;
  /** Times the port was opened. */
  opens: number;
  /** Times it went away on its own. */
  losses: number;
  /** From a request being handed to the port to its whole reply. */
  latency: Durations;
  /** From the call to the moment its job had the line to itself. */
  queueWait: Durations;
}

export const noStatistics = (): LineStatistics => ({
  requests: 0,
  replies: 0,
  exceptions: 0,
  timeouts: 0,
  corrupt: 0,
  crcErrors: 0,
  early: 0,
  untimed: 0,
  repeats: 0,
  discardedBytes: 0,
  lateFrames: 0,
  abandoned: 0,
  sentAhead: 0,
  opens: 0,
  losses: 0,
  latency: noDurations(),
  queueWait: noDurations(),
});
