import type { Database } from './database.ts';
import { IndexError } from './index-error.ts';

/** Changes with every change of the tables or of what is put into them; an index of another version is made again. */
export const SCHEMA_VERSION = 8;

/** `svci`: tells our file from any other SQLite file. */
const APPLICATION_ID = 0x73_76_63_69;

/**
 * `seal` is what the record is worth (`SealState`), null until its files were compared with its seal. `ended_runs` has every
 * run that was ever seen with an ending: it outlives the row of a record that is moved away. `judge` has the accepted keys
 * by which records were judged, as JSON. `head` and `evidence` are the stamps of `run.json` and of the other files when they were read. A value is eight bytes
 * (IEEE 754, little-endian), since SQLite writes a number out with 15 digits only.
 */
const TABLES = `
CREATE TABLE runs (
  id INTEGER PRIMARY KEY,
  run_id TEXT NOT NULL UNIQUE,
  position REAL NOT NULL,
  head TEXT NOT NULL,
  evidence TEXT,
  damaged TEXT,
  seal TEXT,
  ended INTEGER NOT NULL,
  started_ms INTEGER NOT NULL,
  status TEXT,
  hardware TEXT,
  mode TEXT,
  scenario TEXT,
  serial TEXT,
  part TEXT,
  batch TEXT,
  operator TEXT,
  version TEXT,
  rig TEXT,
  search TEXT NOT NULL,
  retried INTEGER NOT NULL DEFAULT 0,
  failed_key INTEGER,
  failed_text TEXT
);
CREATE INDEX runs_by_position ON runs (position, run_id);
CREATE INDEX runs_by_serial ON runs (serial, position);
CREATE INDEX runs_by_scenario ON runs (scenario, position);
CREATE INDEX runs_by_status ON runs (status, position);
CREATE INDEX runs_by_start ON runs (started_ms);
CREATE INDEX runs_of_values ON runs (id, damaged, hardware, scenario, started_ms, position, run_id, serial);
CREATE INDEX runs_unread ON runs (position) WHERE evidence IS NULL AND ended = 1 AND damaged IS NULL;
CREATE TABLE ended_runs (run_id TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE judge (keys TEXT NOT NULL);
CREATE TABLE keys (
  id INTEGER PRIMARY KEY,
  key TEXT NOT NULL UNIQUE,
  scenario TEXT NOT NULL,
  block TEXT NOT NULL,
  check_name TEXT NOT NULL,
  sensor TEXT
);
CREATE TABLE limits (id INTEGER PRIMARY KEY, spec TEXT NOT NULL UNIQUE);
CREATE TABLE measurements (
  key INTEGER NOT NULL,
  run INTEGER NOT NULL,
  n INTEGER NOT NULL,
  value BLOB,
  limits INTEGER NOT NULL,
  outcome TEXT NOT NULL,
  attempt INTEGER NOT NULL,
  entry INTEGER NOT NULL,
  at_ms INTEGER NOT NULL,
  PRIMARY KEY (key, run, n)
) WITHOUT ROWID;
CREATE INDEX measurements_by_run ON measurements (run);
`;

/** Tables and indices. */
const PARTS = TABLES.split('CREATE ').length - 1;

/** Puts the tables into an empty file. @throws IndexError */
export function createTables(database: Database): void {
  database.transaction(() => {
    database.execute(TABLES);
    database.execute(`PRAGMA application_id = ${APPLICATION_ID}`);
    database.execute(`PRAGMA user_version = ${SCHEMA_VERSION}`);
  });
}

/**
 * Makes sure that a file is an index of this version and whole. An empty file gets its tables.
 * @throws IndexError `index_damaged` for one that has to be made again
 */
export function requireSchema(database: Database): void {
  const parts = database.get<{ n: number }>(
    "SELECT count(*) AS n FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%'",
  )?.n;
  if (parts === 0) {
    createTables(database);
    return;
  }
  requireVersion(database);
  if (parts !== PARTS)
    throw new IndexError('index_damaged', `it has ${parts} tables and indices, not ${PARTS}`);
  const check = database.get<{ quick_check: string }>('PRAGMA quick_check(1)')?.quick_check;
  if (check !== 'ok') throw new IndexError('index_damaged', `its pages are damaged: ${check}`);
}

/** @throws IndexError `index_damaged` */
export function requireVersion(database: Database): void {
  const application = database.get<{ application_id: number }>('PRAGMA application_id')?.application_id;
  const version = database.get<{ user_version: number }>('PRAGMA user_version')?.user_version;
  if (application !== APPLICATION_ID || version !== SCHEMA_VERSION)
    throw new IndexError('index_damaged', `it is of version ${version}, not ${SCHEMA_VERSION}`);
}
