import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { readStateFile, writeStateFile } from './state-file.ts';

/** How a bridge left the rig: `SVC_STATE_DIR/bridge-end.json`. */
export interface BridgeEnd {
  pid: number;
  /** ISO time. */
  started_at: string;
  /** Of its last safe state, for example `safe`. */
  outcome: string;
  /** Why it ended, for example `SIGTERM`. */
  reason: string;
  /** ISO time. */
  at: string;
}

const pathIn = (stateDir: string) => join(stateDir, 'bridge-end.json');

/** A bridge that begins removes the record of the one before: from then on it is not relied on. @throws Error */
export function removeBridgeEnd(stateDir: string): void {
  rmSync(pathIn(stateDir), { force: true });
}

/** @throws Error when the folder is missing or not writable */
export function writeBridgeEnd(stateDir: string, end: BridgeEnd): void {
  writeStateFile(pathIn(stateDir), end);
}

/**
 * Whether a bridge that is gone has recorded that it left the rig safe. A damaged record counts as none.
 * @param pid of the bridge that was watched; undefined when none was: a record then is that of the last one
 */
export function endedSafe(stateDir: string, pid: number | undefined): boolean {
  return safeEndOf(readStateFile(pathIn(stateDir)), pid);
}

/** When the last bridge left the rig safe, ms since 1970; undefined when it did not, or a bridge has begun since. */
export function safeEndAt(stateDir: string): number | undefined {
  const record = readStateFile(pathIn(stateDir));
  const at = Date.parse(String(record?.at));
  return safeEndOf(record, undefined) && Number.isFinite(at) ? at : undefined;
}

function safeEndOf(record: ReturnType<typeof readStateFile>, pid: number | undefined): boolean {
  return record?.outcome === 'safe' && (pid === undefined || record.pid === pid);
}
