import { mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import { CodedError } from '../../lib/errors/coded-error.ts';
import { reasonOf } from '../../lib/errors/reason.ts';
import { replaceFile } from '../../lib/files/replace-file.ts';
import { LOGICAL_NAMES, type LogicalName } from './settings.ts';

/** Where the voltage of one logical channel comes from. */
const sourceSchema = z.strictObject({
  adapter: z.enum(['usb-adc-usbhid', 'usb-adc-uart', 'bank']),
  /** `MCP2221A.G1`, `DFR1184.AIN1`, or `ch0` of a bank. */
  input: z.string().min(1),
  /** Address of a bank; null on board. */
  url: z.string().nullable(),
  /** Who answers there; null on board, and for a bank that has not answered yet. */
  bank_id: z.string().nullable(),
});
export type ChannelSource = z.output<typeof sourceSchema>;

const sourcesSchema = z.strictObject({ ai01: sourceSchema, ai02: sourceSchema, ai03: sourceSchema });
export type Sources = Readonly<Record<LogicalName, ChannelSource>>;

/** The channels on the rig's own two devices. */
export const ON_BOARD: Sources = {
  ai01: onBoard('usb-adc-usbhid', 'MCP2221A.G1'),
  ai02: onBoard('usb-adc-uart', 'DFR1184.AIN1'),
  ai03: onBoard('usb-adc-uart', 'DFR1184.AIN2'),
};

/** Whether `now` is the source that was confirmed. A bank that has not answered yet is not held for another one. */
export function isSameSource(now: ChannelSource, confirmed: ChannelSource | undefined): boolean {
  return (
    confirmed !== undefined &&
    now.adapter === confirmed.adapter &&
    now.input === confirmed.input &&
    now.url === confirmed.url &&
    (now.bank_id === null || now.bank_id === confirmed.bank_id)
  );
}

/** For people: `DFR1184.AIN1 on board`, `bank-0/ch0 at http://...`. */
export function sourceText({ adapter, input, url, bank_id: bankId }: ChannelSource): string {
  return adapter === 'bank' ? `${bankId ?? 'a bank'}/${input} at ${url}` : `${input} on board`;
}

export function eachSource<T>(make: (name: LogicalName) => T): Record<LogicalName, T> {
  return Object.fromEntries(LOGICAL_NAMES.map((name) => [name, make(name)])) as Record<LogicalName, T>;
}

function onBoard(adapter: ChannelSource['adapter'], input: string): ChannelSource {
  return { adapter, input, url: null, bank_id: null };
}

const fileSchema = z.strictObject({
  schema_version: z.literal(1),
  /** What the stack service has now. */
  current: sourcesSchema,
  /** For which sources the pressure calibration was confirmed; a channel that is missing never was. */
  confirmed: z.strictObject({
    ai01: sourceSchema.optional(),
    ai02: sourceSchema.optional(),
    ai03: sourceSchema.optional(),
  }),
  /** When a person confirmed; null for the baseline of the first start. */
  confirmed_at: z.iso.datetime().nullable(),
});
export type SourceFile = z.output<typeof fileSchema>;

/**
 * `adc_source_damaged`, `adc_source_unreadable`, `adc_source_not_written`, `adc_source_missing`, `adc_source_unknown`
 */
export class SourceError extends CodedError {}

/** The fingerprint of the sources. */
export function sourcePath(stateDir: string): string {
  return join(stateDir, 'adc-source.json');
}

/** @returns undefined when there is none yet. @throws SourceError: a damaged file never counts as confirmed */
export function readSourceFile(stateDir: string): SourceFile | undefined {
  const remedy = 'move it away, restart svc-adc-stack, check the calibration and run svcctl adc-confirm';
  return readRecord(sourcePath(stateDir), fileSchema, remedy);
}

/** Puts the file in place as a whole, on the disk, or not at all. @throws SourceError */
export function writeSourceFile(stateDir: string, content: SourceFile): void {
  writeRecord(sourcePath(stateDir), content);
}

/**
 * A file that a service and svcctl share. @param remedy of a damaged one
 * @returns undefined when there is none yet. @throws SourceError `adc_source_unreadable`, `adc_source_damaged`
 */
export function readRecord<T>(path: string, schema: z.ZodType<T>, remedy: string): T | undefined {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    const message = `${path} cannot be read: ${reasonOf(cause)}; give the service's account access to it`;
    throw new SourceError('adc_source_unreadable', message, { cause });
  }
  try {
    return schema.parse(JSON.parse(text));
  } catch (cause) {
    throw new SourceError('adc_source_damaged', `${path} is damaged; ${remedy}`, { cause });
  }
}

/** As a whole, on the disk, or not at all. @throws SourceError `adc_source_not_written` */
export function writeRecord(path: string, content: object): void {
  try {
    mkdirSync(dirname(path), { recursive: true });
    replaceFile(path, `${JSON.stringify(content, null, 2)}\n`);
  } catch (cause) {
    const message = `${path} cannot be written: ${reasonOf(cause)}; make the folder writable for the service's account, or set SVC_STATE_DIR`;
    throw new SourceError('adc_source_not_written', message, { cause });
  }
}
