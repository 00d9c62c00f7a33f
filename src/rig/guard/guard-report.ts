import { join } from 'node:path';
import type { OperatorStop } from '../safe-state/operator-stop-record.ts';
import type { SafeStateReport } from '../safe-state/report.ts';
import { readStateFile, writeStateFile } from './state-file.ts';

const FILE = 'guard-last.json';

/** A safe state that the guard made, or saw to. */
export interface GuardReport extends SafeStateReport {
  /** Who drove the devices. A bridge that the guard only watched leaves `steps` empty. */
  by: 'svc-guard' | 'svc-bridge';
  /** Wall clock at its end, ISO time. */
  at: string;
  bench: boolean;
  /** Programs that were ended by SIGKILL first, for example `svc-bridge (pid 4200)`. */
  killed: readonly string[];
  /** Milliseconds from the moment the guard knew to the confirmation that all valves are off; null when there was none. */
  reaction_ms: number | null;
  /** Of an operator's stop: it is in force until a person clears it, unless no program holds it (`in_force: false`). */
  operator_stop?: OperatorStop & { persisted: boolean; in_force?: false };
}

/** Whether the rig is safe and stays so until a person clears the stop. */
export const isStopped = ({
  outcome,
  operator_stop: stop,
}: Pick<GuardReport, 'outcome' | 'operator_stop'>): boolean => outcome === 'safe' && stop?.in_force !== false;

/** `SVC_STATE_DIR/guard-last.json`. @throws Error when the folder is missing or not writable */
export function writeGuardReport(stateDir: string, report: GuardReport): void {
  writeStateFile(join(stateDir, FILE), report);
}

/** Undefined where the guard has written none that can be read. */
export function readGuardReport(stateDir: string): GuardReport | undefined {
  const report = readStateFile(join(stateDir, FILE));
  return isGuardReport(report) ? report : undefined;
}

/** Whether an answer has the report of a safe state in it: that of the bridge's route, also of its 503. */
export function isReport(value: unknown): value is SafeStateReport {
  if (typeof value !== 'object' || value === null) return false;
  const { ok, outcome, steps } = value as Record<string, unknown>;
  return typeof ok === 'boolean' && typeof outcome === 'string' && Array.isArray(steps);
}

export function isGuardReport(value: unknown): value is GuardReport {
  return isReport(value) && 'by' in value && 'killed' in value;
}
