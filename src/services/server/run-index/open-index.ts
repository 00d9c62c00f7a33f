import { chownSync, closeSync, existsSync, openSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { Database } from './database.ts';
import { IndexError } from './index-error.ts';
import { requireSchema } from './schema.ts';

/** Below the state folder, beside `runs`. */
export const INDEX_FILE = 'runs.index.sqlite';

/** Of its journal; the write-ahead log may be another program's. */
const BESIDE = ['', '-wal', '-shm', '-journal'];

export interface OpenedIndex {
  readonly database: Database;
  /** Why it was made again; undefined where it was taken as it is. */
  readonly madeAgain: string | undefined;
}

/**
 * Opens the index of a state folder. One that is missing, damaged or of another version is replaced by an empty one: the
 * records are elsewhere. @throws IndexError `index_locked`, `index_unavailable`
 */
export function openIndex(stateDir: string): OpenedIndex {
  const path = join(stateDir, INDEX_FILE);
  const wasThere = existsSync(path);
  try {
    return { database: openFile(path), madeAgain: wasThere ? undefined : 'there was none' };
  } catch (thrown) {
    if (!(thrown instanceof IndexError) || thrown.code !== 'index_damaged') throw thrown;
    removeIndex(stateDir);
    return { database: openFile(path), madeAgain: thrown.message };
  }
}

export function removeIndex(stateDir: string): void {
  for (const suffix of BESIDE) rmSync(join(stateDir, `${INDEX_FILE}${suffix}`), { force: true });
}

function openFile(path: string): Database {
  ownLikeFolder(path);
  const database = new Database(path);
  try {
    // No write-ahead log: a connection with one keeps the file locked until its statements are collected as garbage.
    database.get('PRAGMA journal_mode = TRUNCATE');
    database.execute('PRAGMA cache_size = -8000');
    requireSchema(database);
    return database;
  } catch (thrown) {
    database.close();
    throw thrown;
  }
}

/**
 * A file that root makes belongs to the account of the folder, which the services run as; SQLite makes its journal alike.
 */
function ownLikeFolder(path: string): void {
  if (process.getuid?.() !== 0 || existsSync(path)) return;
  const { uid, gid } = statSync(dirname(path), { throwIfNoEntry: false }) ?? {};
  if (uid === undefined || gid === undefined || uid === 0) return;
  closeSync(openSync(path, 'a'));
  chownSync(path, uid, gid);
}
