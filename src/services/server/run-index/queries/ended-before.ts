import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Database } from '../database.ts';
import { IndexError } from '../index-error.ts';
import { INDEX_FILE } from '../open-index.ts';
import { requireVersion } from '../schema.ts';

/** Which of some runs were ever seen with an ending. @throws IndexError */
export const endedBefore = (database: Database, ids: readonly string[]): string[] =>
  ids.filter((id) => database.get('SELECT 1 FROM ended_runs WHERE run_id = ?', id) !== undefined);

/**
 * The same for a program that has no index open; without a usable one nothing is known. @throws IndexError
 * `index_locked`, `index_unavailable`
 */
export function endedBeforeIn(stateDir: string, ids: readonly string[]): string[] {
  const path = join(stateDir, INDEX_FILE);
  if (ids.length === 0 || !existsSync(path)) return [];
  const database = new Database(path);
  try {
    requireVersion(database);
    return endedBefore(database, ids);
  } catch (thrown) {
    if (!(thrown instanceof IndexError) || thrown.code !== 'index_damaged') throw thrown;
    return [];
  } finally {
    database.close();
  }
}
