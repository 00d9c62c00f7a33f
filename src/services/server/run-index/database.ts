import Libsql from 'libsql';
import { messageOf } from '../../../lib/errors/coded-error.ts';
import { IndexError } from './index-error.ts';

/** A lock of another process is waited for so long, ms; lists have a way without the index. */
const LOCK_WAIT_MS = 500;

type Value = number | string | Uint8Array | null;
type Statement = ReturnType<Libsql.Database['prepare']>;

/** A SQLite file. Every error is an IndexError. */
export class Database {
  readonly #path: string;
  readonly #database: Libsql.Database;
  readonly #statements = new Map<string, Statement>();

  /** Opens or creates it. @throws IndexError */
  constructor(path: string) {
    this.#path = path;
    this.#database = this.#guarded(() => new Libsql(path, { timeout: LOCK_WAIT_MS }));
  }

  /** Statements without a result. @throws IndexError */
  execute(sql: string): void {
    this.#guarded(() => this.#database.exec(sql));
  }

  /** @throws IndexError */
  run(sql: string, ...values: Value[]): void {
    this.#guarded(() => this.#statement(sql).run(values));
  }

  /** @throws IndexError */
  get<Row>(sql: string, ...values: Value[]): Row | undefined {
    return this.#guarded(() => this.#statement(sql).get(values) as Row | undefined);
  }

  /** @throws IndexError */
  all<Row>(sql: string, ...values: Value[]): Row[] {
    return this.#guarded(() => this.#statement(sql).all(values) as Row[]);
  }

  /** All of the work or none of it, also after a kill. @throws IndexError, what `work` throws */
  transaction<T>(work: () => T): T {
    this.execute('BEGIN IMMEDIATE');
    try {
      const result = work();
      this.execute('COMMIT');
      return result;
    } catch (thrown) {
      try {
        this.execute('ROLLBACK');
      } catch {
        // SQLite has rolled back already after some errors.
      }
      throw thrown;
    }
  }

  close(): void {
    this.#statements.clear();
    this.#database.close();
  }

  #statement(sql: string): Statement {
    const known = this.#statements.get(sql);
    if (known) return known;
    const statement = this.#database.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }

  #guarded<T>(work: () => T): T {
    try {
      return work();
    } catch (cause) {
      throw indexErrorOf(this.#path, cause);
    }
  }
}

function indexErrorOf(path: string, cause: unknown): IndexError {
  const code = String((cause as { code?: unknown }).code);
  if (/^SQLITE_(BUSY|LOCKED)/.test(code))
    return new IndexError('index_locked', `${path} is locked by another process`, { cause });
  const why = `${path}: ${messageOf(cause)}`;
  if (/^SQLITE_(CORRUPT|NOTADB|IOERR_SHORT_READ|SCHEMA)/.test(code))
    return new IndexError('index_damaged', why, { cause });
  return new IndexError('index_unavailable', why, { cause });
}
