import { type Dirent, readdirSync } from 'node:fs';
import { join } from 'node:path';

const EXTENSIONS = ['.oql', '.cql'];
/** Never scenarios, and large. */
const SKIPPED = new Set(['node_modules', '.git', 'dist']);
/** Files listed at most: a workspace may be a whole home directory. */
const MOST_FILES = 5000;

/** The scenario files below a folder, sorted; links are not followed. Folders that cannot be read are left out. */
export function scenarioFilesIn(folder: string): string[] {
  const found: string[] = [];
  const folders = [folder];
  for (let next = folders.pop(); next !== undefined && found.length < MOST_FILES; next = folders.pop())
    for (const entry of entriesOf(next)) {
      const path = join(next, entry.name);
      if (entry.isDirectory() && !SKIPPED.has(entry.name)) folders.push(path);
      else if (entry.isFile() && EXTENSIONS.some((extension) => entry.name.endsWith(extension)))
        found.push(path);
    }
  return found.sort();
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
