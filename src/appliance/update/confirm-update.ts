import type { Clock } from '../../lib/clock/clock.ts';
import type { Places } from '../places.ts';
import { whileWritable } from '../while-writable.ts';
import { runningSlot, setSlot, slotOf } from './slots.ts';
import { readUpdateRecord, writeUpdateRecord } from './update-record.ts';

const HEALTHY_MS = 60_000;
const POLL_MS = 2000;
/** Then the old version is started again. */
const LIMIT_MS = 10 * 60_000;

export interface ConfirmOptions {
  places: Places;
  clock: Clock;
  /** Why the rig is not well; undefined when all services respond, the rig is safe and a guard watches. Never rejects. */
  whyNotHealthy: () => Promise<string | undefined>;
  /** Why the rig may not be restarted now; undefined when it may, also when the bridge does not answer. Never rejects. */
  whyInUse: () => Promise<string | undefined>;
  log: (line: string) => void;
}

/** `kept`: nothing was on trial; `restart`: the version on trial is not confirmed, and the next start is the old one. */
export type Confirmation = 'kept' | 'confirmed' | 'restart';

/**
 * Confirms the version that is running on trial when it was healthy for 60 s without a break: one byte of `config.txt`. Until then a
 * power cut, a watchdog or a restart leads back to the old version by itself.
 */
export async function confirmUpdate(options: ConfirmOptions): Promise<Confirmation> {
  const { places, clock, whyNotHealthy, whyInUse, log } = options;
  const { slot } = runningSlot(places);
  if (slotOf(places, 'config.txt') === slot) {
    noteRollBack(options, slot);
    return 'kept';
  }
  const until = clock.monotonic() + LIMIT_MS;
  let since: number | undefined;
  let last: string | undefined;
  let user: string | undefined;
  for (;;) {
    if (clock.monotonic() >= until) {
      // A restart would end a run in the middle: it waits for its end, and a version that becomes healthy meanwhile is kept.
      const inUse = await whyInUse();
      if (inUse === undefined) break;
      if (inUse !== user) log(`the old version starts again when the rig is free: ${inUse}`);
      user = inUse;
    }
    const why = await whyNotHealthy();
    const now = clock.monotonic();
    if (why === undefined) since ??= now;
    else since = undefined;
    if (why !== last && why !== undefined) log(`not healthy yet: ${why}`);
    last = why;
    if (since !== undefined && now - since >= HEALTHY_MS) {
      // Not for the whole minute: what else writes to the partition makes it read-only again at its end.
      await whileWritable(places, () => setSlot(places, 'config.txt', slot));
      finish(options, 'confirmed');
      log(`slot ${slot} is confirmed`);
      return 'confirmed';
    }
    await clock.sleep(POLL_MS);
  }
  finish(options, 'rolled_back', last ?? 'it was never healthy for 60 s');
  log(`slot ${slot} was not healthy for 60 s within 10 min (${last}): the old version starts again`);
  return 'restart';
}

function noteRollBack(options: ConfirmOptions, slot: string): void {
  const record = readUpdateRecord(options.places);
  if (!record || (record.state !== 'trying' && record.state !== 'writing')) return;
  // A power cut between the byte of config.txt and this record.
  if (record.state === 'trying' && record.slot === slot) return finish(options, 'confirmed');
  const why =
    record.state === 'writing'
      ? 'it was cut off while it was written'
      : 'its start failed, or it was restarted before it had been healthy for 60 s';
  finish(options, 'rolled_back', why);
  options.log(`the update to ${record.version} is not in use: ${why}; ${record.from_version} runs`);
}

function finish({ places, clock }: ConfirmOptions, state: 'confirmed' | 'rolled_back', why?: string): void {
  const record = readUpdateRecord(places);
  if (!record) return;
  const at = new Date(clock.now()).toISOString();
  writeUpdateRecord(places, { ...record, state, at, ...(why === undefined ? {} : { why }) });
}
