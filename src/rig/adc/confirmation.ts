import { type Clock, systemClock } from '../../lib/clock/clock.ts';
import { type ChipRecord, chipText, isSameChip, readChipRecords, writeChipRecords } from './chip-ledger.ts';
import { LOGICAL_NAMES, type LogicalName } from './settings.ts';
import {
  isSameSource,
  readSourceFile,
  SourceError,
  type SourceFile,
  sourcePath,
  sourceText,
  writeSourceFile,
} from './source.ts';

export type { Sources } from './source.ts';
export { SourceError } from './source.ts';

/** One channel as `svcctl adc-confirm` shows it. */
export interface SourceChange {
  channel: LogicalName;
  /** Text for people; null when no source was ever confirmed. */
  before: string | null;
  now: string;
  isChanged: boolean;
}

export interface SourceState {
  /** The file. */
  path: string;
  channels: SourceChange[];
  /** `calibration_confirmation_required` */
  isConfirmationRequired: boolean;
  /** ISO time of the last confirmation by a person; null before the first. */
  confirmedAt: string | null;
}

/**
 * The sources of the voltages now, beside those that the pressure calibration was confirmed for.
 *
 * @param stateDir `SVC_STATE_DIR`
 * @throws SourceError `adc_source_missing` before the first start of svc-adc-stack, `adc_source_damaged`,
 *   `adc_source_unreadable`
 */
export function readAdcSource(stateDir: string): SourceState {
  return stateOf(stateDir, existing(stateDir));
}

/**
 * A person says that the pressure calibration holds for the sources as they are now. A running stack service sees it at
 * its next request.
 *
 * @returns what was confirmed: `channels` with the sources before and now
 * @throws SourceError those of `readAdcSource`; `adc_source_unknown` when a bank has not said who it is;
 *   `adc_source_not_written`
 */
export function confirmAdcSource(stateDir: string, clock: Clock = systemClock): SourceState {
  const file = existing(stateDir);
  const state = stateOf(stateDir, file);
  const silent = LOGICAL_NAMES.filter(
    (name) => file.current[name].adapter === 'bank' && file.current[name].bank_id === null,
  );
  if (silent.length > 0) {
    const text = silent.map((name) => `${name} (${sourceText(file.current[name])})`).join(', ');
    const message = `the bank of ${text} has not identified itself since svc-adc-stack started; restore its connection, check GET /api/v1/adc, then confirm`;
    throw new SourceError('adc_source_unknown', message);
  }
  const confirmedAt = new Date(clock.now()).toISOString();
  writeSourceFile(stateDir, { ...file, confirmed: file.current, confirmed_at: confirmedAt });
  return { ...state, confirmedAt };
}

function existing(stateDir: string): SourceFile {
  const file = readSourceFile(stateDir);
  if (file) return file;
  const message = `${sourcePath(stateDir)} is not there; start svc-adc-stack with the same SVC_STATE_DIR first`;
  throw new SourceError('adc_source_missing', message);
}

function stateOf(
  stateDir: string,
  { current, confirmed, confirmed_at: confirmedAt }: SourceFile,
): SourceState {
  const channels = LOGICAL_NAMES.map((channel): SourceChange => {
    const before = confirmed[channel];
    return {
      channel,
      before: before ? sourceText(before) : null,
      now: sourceText(current[channel]),
      isChanged: !isSameSource(current[channel], before),
    };
  });
  return {
    path: sourcePath(stateDir),
    channels,
    isConfirmationRequired: channels.some(({ isChanged }) => isChanged),
    confirmedAt,
  };
}

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
