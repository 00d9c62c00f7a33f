import { type Clock, systemClock } from '../../../lib/clock/clock.ts';
import { chipText, isSameChip } from './chip.ts';
import { type ChipRecord, readChipRecords, writeChipRecords } from './chip-file.ts';

/** One address of a USB chip as `svcctl adc-confirm` shows it. */
export interface ChipChange {
  address: string;
  /** Text for people; null when no chip was ever accepted there. */
  before: string | null;
  now: string;
  isChanged: boolean;
}

/** The chips that were seen last beside those that belong there; none before the first. @throws SourceError */
export function readChipChanges(stateDir: string): ChipChange[] {
  return (readChipRecords(stateDir) ?? []).map(changeOf);
}

/**
 * A person says that the chips that were seen last belong there. A running service opens them within 5 s.
 *
 * @returns what was confirmed: the chips before and now
 * @throws SourceError
 */
export function confirmChips(stateDir: string, clock: Clock = systemClock): ChipChange[] {
  const records = readChipRecords(stateDir) ?? [];
  const changes = records.map(changeOf);
  if (changes.some(({ isChanged }) => isChanged)) {
    const confirmed_at = new Date(clock.now()).toISOString();
    const isChanged = (index: number) => changes[index]?.isChanged === true;
    writeChipRecords(
      stateDir,
      records.map((record, index) =>
        isChanged(index) ? { ...record, confirmed: record.present, confirmed_at } : record,
      ),
    );
  }
  return changes;
}

function changeOf({ address, confirmed, present }: ChipRecord): ChipChange {
  return {
    address,
    before: confirmed === null ? null : chipText(confirmed),
    now: chipText(present),
    isChanged: confirmed === null || !isSameChip(present, confirmed),
  };
}
