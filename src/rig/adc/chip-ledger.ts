import { join } from 'node:path';
import * as z from 'zod';
import type { SerialNumbers } from '../../devices/mcp2221a/serial-numbers.ts';
import { messageOf } from '../../lib/errors/coded-error.ts';
import { readRecord, writeRecord } from './source.ts';

const serialNumbersSchema = z.strictObject({
  factory: z.string().nullable(),
  usb: z.string().nullable(),
});

const KINDS = ['factory', 'usb'] as const;

/**
 * Whether both are one chip: both serial numbers are equal. Many chips have the same factory serial, so a USB serial
 * that is known of one and not readable of the other makes them two. Through the kernel's driver only the USB serial can be
 * read: then that alone must be there and equal. Two chips that show none cannot be distinguished.
 */
export function isSameChip(one: SerialNumbers, other: SerialNumbers): boolean {
  if ((one.factory === null) === (other.factory === null))
    return KINDS.every((kind) => one[kind] === other[kind]);
  return one.usb !== null && one.usb === other.usb;
}

/** Whether one of its serial numbers is `serial`. */
function hasSerial(chip: SerialNumbers, serial: string): boolean {
  return KINDS.some((kind) => chip[kind] === serial);
}

/** For people: `factory serial 01234567, USB serial 0003466530`. */
export function chipText({ factory, usb }: SerialNumbers): string {
  const known = [
    factory === null ? [] : `factory serial ${factory}`,
    usb === null ? [] : `USB serial ${usb}`,
  ];
  return known.flat().join(', ') || 'no readable serial number';
}

const recordSchema = z.strictObject({
  /** `USBADC_ADDRESS`: a rig and a bench on one machine have a chip each. */
  address: z.string(),
  /** `USBADC_SERIAL` of the service that wrote it; null without. */
  configured: z.string().nullable(),
  /** The chip whose voltages are served; null when none was ever accepted. */
  confirmed: serialNumbersSchema.nullable(),
  /** When a person confirmed it; null for the chip of the first start. */
  confirmed_at: z.iso.datetime().nullable(),
  /** The chip that was seen last. */
  present: serialNumbersSchema,
});
export type ChipRecord = z.output<typeof recordSchema>;

const fileSchema = z.strictObject({ schema_version: z.literal(1), chips: z.array(recordSchema) });

/** Which chip belongs to each address. */
function chipPath(stateDir: string): string {
  return join(stateDir, 'adc-chip.json');
}

/** @returns undefined when there is no file yet. @throws SourceError `adc_source_damaged`, `adc_source_unreadable` */
export function readChipRecords(stateDir: string): ChipRecord[] | undefined {
  const remedy = 'check which chip is plugged in, then move the file away';
  return readRecord(chipPath(stateDir), fileSchema, remedy)?.chips;
}

/** Puts the file in place as a whole, or not at all. @throws SourceError `adc_source_not_written` */
export function writeChipRecords(stateDir: string, chips: readonly ChipRecord[]): void {
  writeRecord(chipPath(stateDir), { schema_version: 1, chips });
}

interface ChipLedgerOptions {
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
