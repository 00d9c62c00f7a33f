import { createHash } from 'node:crypto';
import * as z from 'zod';

/** What `/health` says of the configuration that a process runs with. */
export const configStampSchema = z.object({
  /** Path of the file; null where there was none and the defaults hold. */
  file: z.string().nullable(),
  /** Of the sections that this service reads, as they were when it started (`configHash`). */
  sha256: z.string(),
  loaded_at: z.iso.datetime(),
});
export type ConfigStamp = z.output<typeof configStampSchema>;

/** Of what some sections of a file say: comments, order and ways of writing do not count. */
export function configHash<File extends object>(
  file: File,
  sections: readonly (keyof File & string)[],
): string {
  const said = [...sections].sort().map((section) => [section, sorted(file[section])]);
  return createHash('sha256').update(JSON.stringify(said)).digest('hex');
}

/** The same data with the keys of its maps in order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
  return Object.fromEntries(
    entries.sort(([one], [other]) => (one < other ? -1 : 1)).map(([key, inner]) => [key, sorted(inner)]),
  );
}
