import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** One attribute file of sysfs, trimmed; null when it is not there. */
export function readAttribute(...path: string[]): string | null {
  try {
    return readFileSync(join(...path), 'utf8').trim();
  } catch {
    return null;
  }
}

/** Names in a directory; empty when it is not there. */
export function listNames(directory: string): string[] {
  try {
    return readdirSync(directory).sort();
  } catch {
    return [];
  }
}
