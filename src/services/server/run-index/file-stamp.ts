import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { ACCEPTED_KEYS_FILE } from '../../../scenario/records/accepted-keys.ts';
import { KEY_FILE } from '../../../scenario/records/rig-key.ts';
import { FILES } from '../../../scenario/records/run-file.ts';

/** Whatever changes a file changes its change time, which no program can set. */
function stampOf(path: string): string {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stat ? `${stat.ino.toString(36)}.${stat.size.toString(36)}.${stat.ctimeNs.toString(36)}` : '-';
}

/** Stamp of `run.json`, which is replaced when a run ends. @throws the system's error */
export const headStamp = (directory: string): string => stampOf(join(directory, FILES.run));

const EVIDENCE = Object.values(FILES).filter((name) => name !== FILES.run);

/** Stamp of all other files of a record, also of those that came or went; 43 characters. @throws the system's error */
export const evidenceStamp = (directory: string): string => {
  const stamps = [stampOf(directory), ...EVIDENCE.map((name) => stampOf(join(directory, name)))];
  return createHash('sha256').update(stamps.join(' ')).digest('base64url');
};

/** Stamp of what says which keys count. @throws the system's error */
export const keysStamp = (keyDir: string): string =>
  [KEY_FILE, ACCEPTED_KEYS_FILE].map((name) => stampOf(join(keyDir, name))).join(' ');
