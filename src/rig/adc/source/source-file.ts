import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { CodedError, reasonOf } from '../../../lib/errors/coded-error.ts';
import { replaceFile } from '../../../lib/files/replace-file.ts';
import { sourceSchema, sourcesSchema } from './source.ts';

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

/** `adc_source_damaged`, `adc_source_unreadable`, `adc_source_not_written`, `adc_source_missing`, `adc_source_unknown` */
export class SourceError extends CodedError {}

/** The fingerprint of the sources (services.md section 5). */
export function sourcePath(stateDir: string): string {
  return join(stateDir, 'adc-source.json');
}

/** @returns undefined when there is none yet. @throws SourceError: a damaged file never counts as confirmed */
export function readSourceFile(stateDir: string): SourceFile | undefined {
  const path = sourcePath(stateDir);
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    const message = `${path} cannot be read: ${reasonOf(cause)}; give the service's account access to it`;
    throw new SourceError('adc_source_unreadable', message, { cause });
  }
  try {
    return fileSchema.parse(JSON.parse(text));
  } catch (cause) {
    const message = `${path} is damaged; move it away, restart svc-adc-stack, check the calibration and run svcctl adc-confirm`;
    throw new SourceError('adc_source_damaged', message, { cause });
  }
}

/** Puts the file in place as a whole, on the disk, or not at all. @throws SourceError */
export function writeSourceFile(stateDir: string, content: SourceFile): void {
  const path = sourcePath(stateDir);
  try {
    mkdirSync(stateDir, { recursive: true });
    replaceFile(path, `${JSON.stringify(content, null, 2)}\n`);
  } catch (cause) {
    const message = `${path} cannot be written: ${reasonOf(cause)}; make the folder writable for the service's account, or set SVC_STATE_DIR`;
    throw new SourceError('adc_source_not_written', message, { cause });
  }
}
