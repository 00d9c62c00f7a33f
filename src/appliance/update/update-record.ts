import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import type { Places } from '../places.ts';
import { writeWhole } from '../write-whole.ts';

const schema = z.object({
  version: z.string(),
  from_version: z.string(),
  slot: z.enum(['a', 'b']),
  /** `writing`: not whole; `written`: whole, not asked for yet; `trying`: to be started once; the others are final. */
  state: z.enum(['writing', 'written', 'trying', 'confirmed', 'rolled_back']),
  at: z.string(),
  /** Why it was rolled back, as far as is known. */
  why: z.string().optional(),
});
export type UpdateRecord = z.output<typeof schema>;

const pathOf = ({ data }: Places): string => join(data, 'svc-rig/update.json');

/** The last update of this card; undefined where there was none. */
export function readUpdateRecord(places: Places): UpdateRecord | undefined {
  try {
    return schema.parse(JSON.parse(readFileSync(pathOf(places), 'utf8')));
  } catch {
    return undefined;
  }
}

/** @throws NodeJS.ErrnoException */
export function writeUpdateRecord(places: Places, record: UpdateRecord): void {
  writeWhole(pathOf(places), `${JSON.stringify(record)}\n`, 0o644);
}
