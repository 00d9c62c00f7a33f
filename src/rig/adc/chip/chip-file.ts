import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { messageOf } from '../../../lib/errors/coded-error.ts';
import { replaceFile } from '../../../lib/files/replace-file.ts';
import { SourceError } from '../source/source-file.ts';
import { serialNumbersSchema } from './chip.ts';

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
export function chipPath(stateDir: string): string {
  return join(stateDir, 'adc-chip.json');
}

/** @returns undefined when there is no file yet. @throws SourceError `adc_source_damaged`, `adc_source_unreadable` */
export function readChipRecords(stateDir: string): ChipRecord[] | undefined {
  const path = chipPath(stateDir);
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    const message = `${path} cannot be read: ${messageOf(cause)}; give the service's account access to it`;
    throw new SourceError('adc_source_unreadable', message, { cause });
  }
  try {
    return fileSchema.parse(JSON.parse(text)).chips;
  } catch (cause) {
    const message = `${path} is damaged; check which chip is plugged in, then move the file away`;
    throw new SourceError('adc_source_damaged', message, { cause });
  }
}

/** Puts the file in place as a whole, or not at all. @throws SourceError `adc_source_not_written` */
export function writeChipRecords(stateDir: string, chips: readonly ChipRecord[]): void {
  try {
    mkdirSync(stateDir, { recursive: true });
    replaceFile(chipPath(stateDir), `${JSON.stringify({ schema_version: 1, chips }, null, 2)}\n`);
  } catch (cause) {
    const message = `${chipPath(stateDir)} cannot be written: ${messageOf(cause)}; make the folder writable for the service's account, or set SVC_STATE_DIR`;
    throw new SourceError('adc_source_not_written', message, { cause });
  }
}
