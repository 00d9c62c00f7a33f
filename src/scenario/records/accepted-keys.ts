import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readRigKey } from './rig-key.ts';

/** Fingerprints of earlier keys of a rig, one on a line, in the folder of its key. `#` begins a remark. */
export const ACCEPTED_KEYS_FILE = 'accepted-keys';

/**
 * Fingerprints of the keys that may have sealed the records of a rig: its own one and those of `accepted-keys`.
 * @returns undefined where the key is not known, so that no seal can be judged by it
 * @throws RecordError `key_unusable`; the system's error
 */
export function acceptedKeys(keyDir: string): string[] | undefined {
  const own = readRigKey(keyDir)?.public.fingerprint;
  return own === undefined ? undefined : [own, ...earlierKeys(keyDir)];
}

/** @throws the system's error */
export function earlierKeys(keyDir: string): string[] {
  const path = join(keyDir, ACCEPTED_KEYS_FILE);
  if (!existsSync(path)) return [];
  return readFileSync(path, 'utf8')
    .split('\n')
    .map((line) => line.replace(/#.*/, '').trim())
    .filter((line) => line !== '');
}
