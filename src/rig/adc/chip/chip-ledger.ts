import type { SerialNumbers } from '../../../devices/mcp2221a/serial-numbers.ts';
import { messageOf } from '../../../lib/errors/coded-error.ts';
import { chipText, hasSerial, isSameChip } from './chip.ts';
import { type ChipRecord, readChipRecords, writeChipRecords } from './chip-file.ts';

export interface ChipLedgerOptions {
  /** `SVC_STATE_DIR` */
  stateDir: string;
  /** `USBADC_ADDRESS` */
  address: string;
  /** `USBADC_SERIAL` */
  configured: string | undefined;
  log: (line: string) => void;
}

/**
 * Says of each chip that is opened whether it is the one whose voltages may be served (DEV-052): the chip that was
 * accepted before, also before a restart. The first chip is accepted when none is configured, else the configured one.
 * A person may confirm another one, and the configured one is accepted again when it is back.
 */
export class ChipLedger {
  readonly #options: ChipLedgerOptions;
  #refused: string | undefined;

  constructor(options: ChipLedgerOptions) {
    this.#options = options;
  }

  /** @returns why the chip is not the right one, with the remedy; undefined when it is */
  objection(present: SerialNumbers): string | undefined {
    const { address, stateDir } = this.#options;
    const configured = this.#options.configured ?? null;
    let records: ChipRecord[];
    try {
      records = readChipRecords(stateDir) ?? [];
    } catch (fault) {
      return `which chip belongs here is not known: ${messageOf(fault)}`;
    }
    const kept = records.find((record) => record.address === address);
    const known = kept && isStillDecided(kept, configured) ? kept : undefined;
    const right = known?.confirmed ?? null;
    const isRight = isAccepted(present, right, configured);
    const isNew = right === null || !isSameChip(present, right);
    const confirmation =
      isRight && isNew
        ? { confirmed: present, confirmed_at: null }
        : { confirmed: right, confirmed_at: known?.confirmed_at ?? null };
    const notKept = this.#keep(kept, { address, configured, ...confirmation, present }, records);
    // A chip that cannot be remembered would let any other one pass as the first after the next start.
    if (isRight && isNew && configured === null && notKept !== undefined)
      return this.#object(
        `this chip cannot be remembered: ${notKept}; USBADC_SERIAL names it without that file`,
      );
    if (isRight) {
      this.#refused = undefined;
      return undefined;
    }
    const wanted =
      right === null
        ? `the chip with the serial ${configured} (USBADC_SERIAL)`
        : `the chip with ${chipText(right)}`;
    return this.#object(
      `the chip has ${chipText(present)}, but ${wanted} belongs here; plug that one in, or check the calibration and run svcctl adc-confirm`,
    );
  }

  /** Logged once as long as it stays the same. */
  #object(objection: string): string {
    if (objection !== this.#refused) this.#options.log(objection);
    this.#refused = objection;
    return objection;
  }

  /** @returns why the record could not be written */
  #keep(
    before: ChipRecord | undefined,
    record: ChipRecord,
    records: readonly ChipRecord[],
  ): string | undefined {
    if (JSON.stringify(before) === JSON.stringify(record)) return undefined;
    const { stateDir, address, log } = this.#options;
    try {
      writeChipRecords(stateDir, [...records.filter((other) => other.address !== address), record]);
      return undefined;
    } catch (fault) {
      log(`the chip is not recorded: ${messageOf(fault)}`);
      return messageOf(fault);
    }
  }
}

/** A serial number that is configured anew decides anew which chip belongs here; one that is taken away does not. */
function isStillDecided({ configured: before, confirmed }: ChipRecord, configured: string | null): boolean {
  if (configured === null || configured === before) return true;
  return confirmed !== null && hasSerial(confirmed, configured);
}

function isAccepted(present: SerialNumbers, right: SerialNumbers | null, configured: string | null): boolean {
  if (right !== null && isSameChip(present, right)) return true;
  if (configured === null) return right === null;
  // Of two chips with the configured serial only the one that was here before stays the right one.
  return hasSerial(present, configured) && (right === null || !hasSerial(right, configured));
}
