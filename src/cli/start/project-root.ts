import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** PM2's file, by which the folder of the project is known. */
export const ECOSYSTEM = 'ecosystem.config.cjs';

/** The folder of the project, whatever else is missing in it; undefined when there is none above. */
export const projectRoot = (from: string = fileURLToPath(import.meta.url)): string | undefined =>
  ancestorWith(dirname(from), ECOSYSTEM);

function ancestorWith(folder: string, name: string): string | undefined {
  if (existsSync(join(folder, name))) return folder;
  const parent = dirname(folder);
  return parent === folder ? undefined : ancestorWith(parent, name);
}
