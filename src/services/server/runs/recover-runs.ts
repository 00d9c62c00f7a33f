import type { Clock } from '../../../lib/clock/clock.ts';
import { messageOf } from '../../../lib/errors/coded-error.ts';
import type { Logger } from '../../../lib/log/logger.ts';
import type { RunStore } from '../../../scenario/records/run-store.ts';
import type { Firmware } from '../firmware.ts';
import { makeSafeLate } from './late-safe-state.ts';

interface Recovery {
  store: RunStore;
  firmware: Firmware;
  clock: Clock;
  logger: Logger;
}

/** Ends the records of runs that an earlier process did not live to end. What cannot be ended stays and is told. */
export async function recoverRuns({ store, firmware, clock, logger }: Recovery): Promise<void> {
  for (const file of store.unended()) {
    const { run_id: id, mode } = file.identity;
    try {
      const late = mode === 'execute' ? await makeSafeLate(id, firmware) : undefined;
      const { ending } = await store.recover(file, clock.now(), late);
      const { status, safe_state } = ending ?? {};
      logger.warn(`${id} was cut and is ${status}`, { run_id: id, safe_state: safe_state?.outcome });
    } catch (thrown) {
      logger.error(`the record of ${id} cannot be ended: ${messageOf(thrown)}`, { run_id: id });
    }
  }
}
