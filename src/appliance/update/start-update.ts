import type { Clock } from '../../lib/clock/clock.ts';
import { ApplianceError } from '../appliance-error.ts';
import type { Places } from '../places.ts';
import { runningSlot, type Slot, setSlot, slotOf } from './slots.ts';
import { type Tryboot, trybootOf } from './tryboot.ts';
import { readUpdateRecord, type UpdateRecord, writeUpdateRecord } from './update-record.ts';

export interface StartOptions {
  places: Places;
  clock: Clock;
  /** Why the rig may not be restarted now; undefined when it may. */
  whyInUse: () => Promise<string | undefined>;
}

/** An update that is whole in its slot. */
export interface WrittenUpdate {
  version: string;
  slot: Slot;
  /** Why the firmware was not asked to start it; undefined when it was. */
  whyNotStarted?: string | undefined;
}

/** @throws ApplianceError `update_refused` where the kernel cannot ask the firmware */
export function trybootHere(places: Places): Tryboot {
  const tryboot = trybootOf(places);
  if (tryboot) return tryboot;
  throw new ApplianceError(
    'update_refused',
    'the update is refused, nothing was written: this kernel cannot ask the firmware for a start on trial: the module svc_tryboot is not loaded',
  );
}

/** Asks the firmware to start the update that was written once, unless the rig is in use. @throws ApplianceError */
export async function startUpdate(options: StartOptions): Promise<WrittenUpdate> {
  const { places, whyInUse } = options;
  const { version, slot } = writtenHere(places);
  const tryboot = trybootHere(places);
  const whyNotStarted = await whyInUse();
  if (whyNotStarted === undefined) {
    setSlot(places, 'tryboot.txt', slot);
    note(options, 'trying');
    tryboot.request();
  }
  return { version, slot, whyNotStarted };
}

/** The rig came into use before the restart: the next start is an ordinary one, and what was written stays. @throws ApplianceError */
export function withdrawStart(options: Omit<StartOptions, 'whyInUse'>): void {
  trybootHere(options.places).withdraw();
  note(options, 'written');
}

function writtenHere(places: Places): UpdateRecord {
  const record = readUpdateRecord(places);
  const running = runningSlot(places).slot;
  if (
    (record?.state === 'written' || record?.state === 'trying') &&
    record.slot !== running &&
    slotOf(places, 'config.txt') === running
  )
    return record;
  throw new ApplianceError(
    'update_refused',
    'no update waits for its start (svcctl update --status): write one with svcctl update FILE',
  );
}

function note({ places, clock }: Omit<StartOptions, 'whyInUse'>, state: 'written' | 'trying'): void {
  const record = readUpdateRecord(places);
  if (record) writeUpdateRecord(places, { ...record, state, at: new Date(clock.now()).toISOString() });
}
