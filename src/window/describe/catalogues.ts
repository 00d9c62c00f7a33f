import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { ENGLISH } from './catalogue-en.ts';
import { POLISH } from './catalogue-pl.ts';
import type { Catalogue } from './locale.ts';

export const BUILT_IN: ReadonlyMap<string, Catalogue> = new Map([
  ['en', ENGLISH],
  ['pl', POLISH],
]);

const schema = z.record(z.string(), z.string());

/** Catalogues of a folder, `<language>.json` each; keys as in `catalogue-en.ts`. @throws Error that names the file */
export function cataloguesOf(folder: string): ReadonlyMap<string, Catalogue> {
  const files = readdirSync(folder).filter((name) => /^[a-z]{2,3}\.json$/.test(name));
  return new Map(
    files.map((name) => {
      const path = join(folder, name);
      try {
        return [name.replace('.json', ''), schema.parse(JSON.parse(readFileSync(path, 'utf8')))];
      } catch (cause) {
        throw new Error(`${path} is no message catalogue: a JSON object of texts is wanted`, { cause });
      }
    }),
  );
}
