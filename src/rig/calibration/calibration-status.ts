import type { Calibration } from './calibration.ts';

/** How a calibration stands at a time of the wall clock. Only `valid` may judge anything. */
export type CalibrationState = 'valid' | 'expired' | 'unconfirmed' | 'undated' | 'clock_behind';

export interface CalibrationStanding {
  readonly state: CalibrationState;
  /** Why it is not valid and what to do, with the date that counts; null when it is valid. */
  readonly fault: string | null;
}

const DAY_MS = 24 * 3600 * 1000;
/** A day begins first in the zone UTC+14: who wrote down only the day may have been there. */
const EARLIEST_ZONE_MS = 14 * 3600 * 1000;

/** Whether a calibration may be used. @param nowMs wall clock, milliseconds since 1970 */
export function calibrationStatus(calibration: Calibration, nowMs: number): CalibrationStanding {
  const { id, calibratedAt, dueAt, confirmedAt } = calibration;
  const now = new Date(nowMs).toISOString();
  const made = calibratedAt === undefined ? Number.NEGATIVE_INFINITY : beginOf(calibratedAt);
  const confirmed = confirmedAt === undefined ? undefined : endOf(confirmedAt);
  if (nowMs < Math.max(made, confirmedAt === undefined ? made : beginOf(confirmedAt))) {
    const date = nowMs < made ? `calibrated on ${calibratedAt}` : `confirmed on ${confirmedAt}`;
    const fault = `was ${date}, and the clock of this machine shows ${now}, which is earlier: whether the calibration is still valid is unknown. Set the clock`;
    return { state: 'clock_behind', fault };
  }
  if (dueAt === undefined) {
    const fault = 'has no due date, so its validity is unknown: calibrate, or add due_at to svc.yaml';
    return { state: 'undated', fault };
  }
  if (nowMs > endOf(dueAt)) {
    const fault = `was due on ${dueAt} and now it is ${now}: calibrate again`;
    return { state: 'expired', fault };
  }
  if (confirmed === undefined || confirmed < made) {
    const why = confirmedAt === undefined ? '' : ` since it was made on ${calibratedAt}`;
    const fault = `is due on ${dueAt} and was never confirmed by a person${why}: check it and run svcctl calibration confirm ${id} --by NAME`;
    return { state: 'unconfirmed', fault };
  }
  return { state: 'valid', fault: null };
}

const isDay = (date: string): boolean => date.length === 10;

const beginOf = (date: string): number => Date.parse(date) - (isDay(date) ? EARLIEST_ZONE_MS : 0);

/** A due date counts to the end of its day, UTC. */
const endOf = (date: string): number => (isDay(date) ? Date.parse(date) + DAY_MS - 1 : Date.parse(date));
