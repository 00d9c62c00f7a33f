import type { Clock } from '../../../lib/clock/clock.ts';
import { messageOf } from '../../../lib/errors/coded-error.ts';
import type { Logger } from '../../../lib/log/logger.ts';
import { type RetentionRules, removeExpired } from '../../../scenario/records/retention.ts';

const FIRST_MS = 10_000;
const EVERY_MS = 3_600_000;

export interface RetentionTaskOptions {
  stateDir: string;
  rules: RetentionRules;
  clock: Clock;
  logger: Logger;
  /** Whether the wall clock was set by a time server; null: not known. */
  isClockSet: () => boolean | null;
}

/** Removes expired records some seconds after the start and each hour. @returns what ends it */
export function startRetention({
  stateDir,
  rules,
  clock,
  logger,
  isClockSet,
}: RetentionTaskOptions): () => void {
  if (rules.keepDays === undefined && rules.maxMb === undefined) return () => {};
  let cancel = () => {};
  let isEnded = false;
  const next = (ms: number) => {
    if (!isEnded) cancel = clock.after(ms, () => void pass().finally(() => next(EVERY_MS)));
  };
  const pass = async () => {
    // By a clock that runs ahead every run would be old.
    const isSet = isClockSet();
    if (isSet !== true) {
      logger.warn(
        isSet === false
          ? 'no record is removed: no time server has set the clock of this machine'
          : 'no record is removed: it is not known whether a time server has set the clock of this machine; run systemd-timesyncd on it',
      );
      return;
    }
    try {
      const { removed, faults, beyondMb } = await removeExpired(stateDir, rules, clock.now());
      for (const { run_id, rule, status, ended_at } of removed)
        logger.info(`${run_id} (${status}, ${ended_at}) was removed by ${rule}`, { run_id });
      for (const fault of faults) logger.error(fault);
      if (beyondMb > 0)
        logger.warn(
          `the records have ${beyondMb} MB more than records.max_mb ${rules.maxMb}, and all of them have to be kept: raise it, or export and remove runs`,
        );
    } catch (thrown) {
      logger.error(messageOf(thrown));
    }
  };
  next(FIRST_MS);
  return () => {
    isEnded = true;
    cancel();
  };
}
