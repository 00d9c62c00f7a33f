import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeDurably } from '../../lib/files/durable-file.ts';
import type { FunctionCheck } from './function-check.ts';

/** A function check as it is saved and printed. */
export interface CheckRecord extends FunctionCheck {
  /** ISO time. */
  timestamp: string;
  firmware_url: string;
  mode: string;
  simulated: boolean;
  bench: boolean;
  ok: boolean;
  passed: number;
  failed: number;
  total: number;
  /** One sentence for each failed test. */
  errors: string[];
}

export function recordOf(
  check: FunctionCheck,
  about: Pick<CheckRecord, 'timestamp' | 'firmware_url' | 'mode' | 'simulated' | 'bench'>,
): CheckRecord {
  const failures = check.tests.filter(({ passed }) => !passed);
  const errors = failures.map(({ name, details }) => `${name}: ${details}`);
  if (check.aborted) errors.push('aborted before the last test');
  return {
    ...about,
    ok: errors.length === 0,
    passed: check.tests.length - failures.length,
    failed: failures.length,
    total: check.tests.length,
    ...check,
    errors,
  };
}

const folderOf = (stateDir: string): string => join(stateDir, 'calibration');

/** Saves a record under its time; an existing one is never overwritten. @returns the path. @throws NodeJS.ErrnoException */
export async function saveRecord(stateDir: string, record: CheckRecord): Promise<string> {
  const folder = folderOf(stateDir);
  mkdirSync(folder, { recursive: true });
  const name = record.timestamp.replaceAll(':', '').replace('.', '');
  let path = join(folder, `${name}.json`);
  for (let n = 2; existsSync(path); n++) path = join(folder, `${name}-${n}.json`);
  await writeDurably(path, `${JSON.stringify(record)}\n`);
  return path;
}

/** What a report says of a check that was never made. */
export const NOT_RUN = { ran: false, ok: false, passed: 0, errors: ['not run'] } as const;

/** The latest saved record with its age, seconds. A record that cannot be read is an error, not an older one. */
export function latestRecord(stateDir: string, nowMs: number): object {
  const folder = folderOf(stateDir);
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.json')) : [];
  const last = names.sort().at(-1);
  if (last === undefined) return NOT_RUN;
  try {
    const record = JSON.parse(readFileSync(join(folder, last), 'utf8')) as CheckRecord;
    return {
      ran: true,
      ...record,
      age_s: Math.max(0, Math.round((nowMs - Date.parse(record.timestamp)) / 1000)),
    };
  } catch (cause) {
    return {
      ran: true,
      ok: false,
      passed: 0,
      errors: [`${join(folder, last)} cannot be read: ${(cause as Error).message}`],
    };
  }
}
