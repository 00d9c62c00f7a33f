import type { Clock } from '../../../lib/clock/clock.ts';
import { messageOf } from '../../../lib/errors/coded-error.ts';
import type { Logger } from '../../../lib/log/logger.ts';
import type { RunStore } from '../../../scenario/records/run-store.ts';
import type { Firmware } from '../firmware.ts';
import { IndexError } from '../run-index/index-error.ts';
import { makeSafeLate } from './late-safe-state.ts';

interface Recovery {
  store: RunStore;
  firmware: Firmware;
  clock: Clock;
  logger: Logger;
  /** Of some runs those that the index has ever seen with an ending. @throws IndexError */
  endedBefore: (ids: readonly string[]) => Promise<string[]>;
}

/** An index that is locked or damaged answers again when its thread has waited or made a new one. */
const ASKED_AT_MOST = 5;
const RETRY_MS = 1000;

/** Ends the records of runs that an earlier process did not live to end. What cannot be ended stays and is reported. */
export async function recoverRuns({ store, firmware, clock, logger, endedBefore }: Recovery): Promise<void> {
  const known = async (id: string) => {
    for (let asked = 1; ; asked++)
      try {
        return await endedBefore([id]);
      } catch (thrown) {
        if (asked === ASKED_AT_MOST || !(thrown instanceof IndexError)) throw thrown;
        await clock.sleep(RETRY_MS);
      }
  };
  for (const file of store.unended()) {
    const { run_id: id, mode } = file.identity;
    try {
      const late = mode === 'execute' ? await makeSafeLate(id, firmware) : undefined;
      const endedBefore = (await known(id)).includes(id);
      const { ending } = await store.recover(file, clock.now(), { late, endedBefore });
      const { status, safe_state } = ending ?? {};
      logger.warn(`${id} was cut and is ${status}`, { run_id: id, safe_state: safe_state?.outcome });
    } catch (thrown) {
      logger.error(`the record of ${id} cannot be ended: ${messageOf(thrown)}`, { run_id: id });
    }
  }
}
