import { parseDuration } from '../../scenario/values/duration.ts';
import { usageError } from '../errors/cli-error.ts';

/** A little less than the longest time a timer can wait (24.8 days). */
const MAX_MS = 24 * 24 * 3_600_000;

/** Parser of a duration option, `500ms`, `1.5s`, `2m`; without suffix milliseconds. Returns milliseconds above 0. */
export const durationOption =
  (option: string) =>
  (text: string): number => {
    const ms = parseDuration(text);
    if (ms !== undefined && ms > 0 && ms <= MAX_MS) return ms;
    throw usageError(
      `${option} "${text}" is not a duration from 1ms to 24 days: write for example ${option} 15s`,
    );
  };
