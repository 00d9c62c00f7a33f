import { readdirSync, realpathSync, statSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

const EXTENSIONS = ['.oql', '.cql'];

/**
 * Every scenario file below a directory, as paths relative to it with `/`, sorted by code point. Linked directories are
 * followed once.
 */
export function scenarioFiles(directory: string): string[] {
  const seen = new Set<string>();
  const found: string[] = [];
  const walk = (path: string) => {
    const real = realpathSync(path);
    if (seen.has(real)) return;
    seen.add(real);
    for (const entry of readdirSync(path, { withFileTypes: true })) {
      const child = join(path, entry.name);
      const kind = entry.isSymbolicLink() ? statSync(child, { throwIfNoEntry: false }) : entry;
      if (kind?.isDirectory()) walk(child);
      // A link that leads nowhere is listed, so that it is reported as unreadable and not passed over.
      else if (EXTENSIONS.some((extension) => entry.name.endsWith(extension)) && (!kind || kind.isFile()))
        found.push(relative(directory, child).split(sep).join('/'));
    }
  };
  walk(directory);
  return found.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
}
