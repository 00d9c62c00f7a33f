import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '../../../lib/errors/coded-error.ts';
import { reasonOf } from '../../../lib/errors/reason.ts';
import { acceptedKeys } from '../../../scenario/records/accepted-keys.ts';
import { RecordError } from '../../../scenario/records/record-error.ts';
import { ENDING_REMOVED } from '../../../scenario/records/recover-run.ts';
import { FILES, type RunFile, readRunFile } from '../../../scenario/records/run-file.ts';
import type { Database } from './database.ts';
import { evidenceStamp, headStamp, keysStamp } from './file-stamp.ts';
import { IndexError } from './index-error.ts';
import { IndexWriter } from './index-writer.ts';
import { type IndexedRun, indexedRun } from './indexed-run.ts';
import { KnownRecords } from './known-records.ts';
import { INDEX_FILE, openIndex, removeIndex } from './open-index.ts';
import { type DistrustedRecord, type RecordedRun, readRecord } from './read-record.ts';

/** Of one transaction; others have a turn between two. */
const HEADS_AT_ONCE = 200;
const RECORDS_AT_ONCE = 200;
const STAMPS_AT_ONCE = 500;
/** A question takes over so many new records before it is answered; of more it says that the index is being made. */
const MOST_CAUGHT_UP = 1000;
/** After a file could not be opened, ms. */
const RETRY_MS = 1000;

export interface IndexOptions {
  /** Folder with `runs`. */
  stateDir: string;
  monotonicMs: () => number;
  /** Takes one sentence for the log. */
  report: (message: string) => void;
}

/** How far the index has come. */
export interface IndexProgress {
  /** Directories of records. */
  readonly records: number;
  /** Of these, the ones that are not in lists yet. */
  readonly unlisted: number;
  /** Of these, the ones whose judged values are not in statistics yet. */
  readonly unmeasured: number;
}

/**
 * The index of the records below a state folder, in step with them: before each question it looks for what has changed.
 * Used by one thread; other processes may use the same file.
 */
export class RunIndex {
  readonly #options: IndexOptions;
  readonly #root: string;
  #open: { database: Database; writer: IndexWriter; ino: number } | undefined;
  #records: KnownRecords;
  /** Stamps of the rows as the file had them when it was opened, until they are compared with the directories. */
  #stored: Map<string, string> | undefined;
  /** `run.json` of these has to be read. */
  #pending: string[] = [];
  /** Their directories are gone. */
  #gone: string[] = [];
  /** Their other files have to be compared with what was read once. */
  #unchecked: string[] = [];
  readonly #unended = new Map<string, string>();
  #closedUntilMs = Number.NEGATIVE_INFINITY;
  #fault: unknown;
  /** Fingerprints of the keys that count; undefined: any. */
  #judge: readonly string[] | undefined;
  #keysStamp: string | undefined;

  constructor(options: IndexOptions) {
    this.#options = options;
    this.#root = join(options.stateDir, 'runs');
    this.#records = new KnownRecords(this.#root, options.monotonicMs);
  }

  /** A question to the file. @throws IndexError */
  ask<T>(question: (database: Database) => T): T {
    return this.#guarded(() => question(this.#opened().database));
  }

  directoryOf(runId: string): string {
    return join(this.#root, runId);
  }

  progress(): IndexProgress {
    const unread = this.ask((database) =>
      database.get<{ n: number }>(
        'SELECT count(*) AS n FROM runs WHERE evidence IS NULL AND ended = 1 AND damaged IS NULL',
      ),
    );
    const unlisted = this.#pending.length;
    return { records: this.#records.size, unlisted, unmeasured: unlisted + (unread?.n ?? 0) };
  }

  /**
   * Takes over what has changed in the directories since the last time.
   * @throws IndexError `index_building` when that is too much to wait for
   */
  catchUp(): void {
    this.#guarded(() => {
      this.#look();
      for (let read = 0; this.#pending.length > 0; read += HEADS_AT_ONCE) {
        if (read >= MOST_CAUGHT_UP) throw this.#building();
        this.#readHeads();
      }
    });
  }

  /** As `catchUp`, and the judged values of every run that has ended are in. @throws IndexError */
  async catchUpValues(): Promise<void> {
    for (let read = 0; read < MOST_CAUGHT_UP; read += RECORDS_AT_ONCE) {
      this.catchUp();
      if (!(await this.#readRecords())) return;
    }
    throw this.#building();
  }

  #building(): IndexError {
    const { records, unlisted, unmeasured } = this.progress();
    const done =
      unlisted > 0
        ? `${records - unlisted} of ${records} records are listed`
        : `the values of ${records - unmeasured} of ${records} records are in it`;
    return new IndexError('index_building', `the index is being made: ${done}`);
  }

  /** One short piece of what there is to do besides questions. @returns whether there is more. @throws IndexError */
  async step(): Promise<boolean> {
    this.#guarded(() => this.#look());
    if (this.#pending.length > 0) return this.#guarded(() => this.#readHeads());
    if (await this.#readRecords()) return true;
    return this.#guarded(() => this.#compareEvidence());
  }

  /** Forgets all and makes the index again, by `step`. @throws IndexError */
  rebuild(): void {
    this.close();
    removeIndex(this.#options.stateDir);
    this.#closedUntilMs = Number.NEGATIVE_INFINITY;
    this.#opened();
  }

  close(): void {
    this.#open?.database.close();
    this.#open = undefined;
  }

  /** @param evidence `unread`: is not compared; @returns whether its files are what they were when they were read; the row is made anew where they are not */
  async isCurrent(runId: string, head: string, evidence: string | null): Promise<boolean> {
    const directory = this.directoryOf(runId);
    if (headStamp(directory) !== head) {
      this.#queue(runId);
      this.#guarded(() => this.#readHeads());
      return false;
    }
    if (evidence === 'unread' || evidenceStamp(directory) === evidence) return true;
    await this.#readEvidence([runId]);
    return false;
  }

  #opened(): { database: Database; writer: IndexWriter } {
    const path = join(this.#options.stateDir, INDEX_FILE);
    if (this.#open && statSync(path, { throwIfNoEntry: false })?.ino !== this.#open.ino) {
      this.#options.report(`${path} was replaced by another process and is opened again`);
      this.close();
    }
    if (this.#open) return this.#open;
    const now = this.#options.monotonicMs();
    if (now < this.#closedUntilMs) throw this.#fault;
    try {
      const { database, madeAgain } = openIndex(this.#options.stateDir);
      this.#open = { database, writer: new IndexWriter(database), ino: statSync(path).ino };
      if (madeAgain !== undefined)
        this.#options.report(`the index of the records is made again: ${madeAgain}`);
      this.#load();
      return this.#open;
    } catch (thrown) {
      this.close();
      this.#fault = thrown;
      this.#closedUntilMs = now + RETRY_MS;
      throw thrown;
    }
  }

  /** Takes over what the file has; `look` compares it with the directories. */
  #load(): void {
    const rows = this.#open?.database.all<{ rows: string | null }>(
      "SELECT group_concat(run_id || ' ' || ended || ' ' || head, x'0a') AS rows FROM runs",
    );
    this.#keysStamp = undefined;
    this.#stored = new Map();
    this.#pending = [];
    this.#gone = [];
    this.#unended.clear();
    for (const row of (rows?.[0]?.rows ?? '').split('\n')) {
      const [id, ended, head] = row.split(' ');
      if (!id || head === undefined) continue;
      this.#stored.set(id, head);
      if (ended === '0') this.#unended.set(id, head);
    }
    this.#records = new KnownRecords(this.#root, this.#options.monotonicMs);
  }

  #look(): void {
    const { writer } = this.#opened();
    this.#takeKeys(writer);
    const { added, removed } = this.#differences();
    if (this.#stored) {
      const stored = this.#stored;
      for (const id of added) if (stored.get(id) !== headStamp(this.directoryOf(id))) this.#pending.push(id);
      this.#unchecked = added.filter((id) => stored.has(id));
      for (const id of stored.keys()) if (!this.#records.has(id)) removed.push(id);
      this.#stored = undefined;
    } else this.#pending.push(...added);
    this.#gone.push(...removed);
    this.#removeGone(writer);
    for (const [id, head] of this.#unended) if (headStamp(this.directoryOf(id)) !== head) this.#queue(id);
  }

  /** Those that cannot be removed now, since another process has the file locked, are removed later. */
  #removeGone(writer: IndexWriter): void {
    if (this.#gone.length === 0) return;
    const gone = new Set(this.#gone);
    writer.inTransaction(() => {
      for (const id of gone) writer.removeRun(id);
    });
    this.#gone = [];
    this.#pending = this.#pending.filter((id) => !gone.has(id) || this.#records.has(id));
    for (const id of gone) this.#unended.delete(id);
  }

  #differences(): { added: string[]; removed: string[] } {
    try {
      return this.#records.look();
    } catch (cause) {
      throw new IndexError('index_unavailable', `${this.#root}: ${reasonOf(cause)}`, { cause });
    }
  }

  #queue(id: string): void {
    if (!this.#pending.includes(id)) this.#pending.push(id);
  }

  /** Newest first: they are asked for first. @returns true */
  #readHeads(): boolean {
    const { writer } = this.#opened();
    const some = this.#pending.slice(-HEADS_AT_ONCE);
    const unended: [string, string][] = [];
    writer.inTransaction(() => {
      for (const id of some) {
        // The stamp comes first: what changes while the file is read is seen the next time.
        const head = headStamp(this.directoryOf(id));
        const read = this.#runFile(id);
        if ('damaged' in read) writer.putDamaged(id, head, read.damaged);
        else {
          const run = { ...indexedRun(read), ...this.#reopened(id, read) };
          writer.putRun(run, head);
          if (!run.ended) unended.push([id, head]);
        }
      }
    });
    this.#pending = this.#pending.slice(0, -some.length);
    for (const id of some) this.#unended.delete(id);
    for (const [id, head] of unended) this.#unended.set(id, head);
    return true;
  }

  /** A run without an ending that had one before. With a seal the next start can determine whether it was interrupted there. */
  #reopened(id: string, { ending }: RunFile): Partial<IndexedRun> {
    if (ending !== null || !this.#opened().writer.hasEnded(id)) return {};
    return existsSync(join(this.directoryOf(id), FILES.seal))
      ? { distrust: { damaged: `${FILES.run}: its ending was removed`, seal: 'tampered' } }
      : { ended: true, distrust: { damaged: ENDING_REMOVED, seal: 'unsealed' } };
  }

  /** What `run.json` says, or why it cannot be read. */
  #runFile(runId: string): RunFile | { damaged: string } {
    try {
      const file = readRunFile(this.directoryOf(runId));
      if (file.identity.run_id === runId) return file;
      return { damaged: `${this.directoryOf(runId)} is the record of ${file.identity.run_id}` };
    } catch (thrown) {
      return { damaged: messageOf(thrown) };
    }
  }

  /** @returns whether there may be more */
  async #readRecords(): Promise<boolean> {
    const rows = this.ask((database) =>
      database.all<{ run_id: string }>(
        `SELECT run_id FROM runs WHERE evidence IS NULL AND ended = 1 AND damaged IS NULL ORDER BY position DESC LIMIT ${RECORDS_AT_ONCE}`,
      ),
    );
    if (rows.length === 0) return false;
    await this.#readEvidence(rows.map(({ run_id }) => run_id));
    return true;
  }

  async #readEvidence(ids: readonly string[]): Promise<void> {
    const read: { id: string; head: string; evidence: string; recorded: RecordedRun | DistrustedRecord }[] =
      [];
    for (const id of ids) {
      const directory = this.directoryOf(id);
      const [head, evidence] = [headStamp(directory), evidenceStamp(directory)];
      read.push({ id, head, evidence, recorded: await this.#recorded(id) });
    }
    this.#guarded(() => {
      const { database, writer } = this.#opened();
      writer.inTransaction(() => {
        for (const { id, head, evidence, recorded } of read) {
          const row = database.get<{ head: string }>('SELECT head FROM runs WHERE run_id = ?', id);
          // It has changed since the row was made, or is gone.
          if (row?.head !== head) this.#queue(id);
          else if ('damaged' in recorded) writer.markDamaged(id, evidence, recorded);
          else writer.putMeasurements(id, evidence, recorded);
        }
      });
    });
  }

  /** What the events of a run say, or why they cannot be trusted. */
  async #recorded(id: string): Promise<RecordedRun | DistrustedRecord> {
    const file = this.#runFile(id);
    if ('damaged' in file) return { damaged: file.damaged, seal: 'tampered' };
    return readRecord(this.directoryOf(id), file, this.#judge);
  }

  /** Records that were judged by other keys than count now are judged anew. */
  #takeKeys(writer: IndexWriter): void {
    const stamp = keysStamp(this.#options.stateDir);
    if (stamp === this.#keysStamp) return;
    const before = writer.judge();
    const keys = this.#acceptedKeys();
    if (keys !== undefined && JSON.stringify(keys) !== before) {
      writer.inTransaction(() => writer.judgeBy(JSON.stringify(keys)));
      if (before !== undefined)
        this.#options.report('the accepted keys have changed: every record is compared with its seal again');
    }
    // An account that cannot read the key judges as those before it that could.
    this.#judge = keys ?? (before === undefined ? undefined : (JSON.parse(before) as string[]));
    this.#keysStamp = stamp;
  }

  /** Undefined while the key of the rig is not known. */
  #acceptedKeys(): readonly string[] | undefined {
    try {
      return acceptedKeys(this.#options.stateDir);
    } catch (thrown) {
      // No record is damaged since the key is.
      if (!(thrown instanceof RecordError)) throw thrown;
      return undefined;
    }
  }

  /** @returns whether there is more */
  #compareEvidence(): boolean {
    const { database, writer } = this.#opened();
    const some = this.#unchecked.splice(-STAMPS_AT_ONCE);
    const changed = some.filter((id) => {
      const row = database.get<{ evidence: string | null }>('SELECT evidence FROM runs WHERE run_id = ?', id);
      return row?.evidence != null && row.evidence !== evidenceStamp(this.directoryOf(id));
    });
    if (changed.length > 0)
      writer.inTransaction(() => {
        for (const id of changed)
          database.run('UPDATE runs SET evidence = NULL, damaged = NULL, seal = NULL WHERE run_id = ?', id);
      });
    return some.length > 0;
  }

  /** An index that turns out to be damaged is made again; the question is answered from the directories. */
  #guarded<T>(work: () => T): T {
    try {
      return work();
    } catch (thrown) {
      if (!(thrown instanceof IndexError) || thrown.code !== 'index_damaged') throw thrown;
      this.#options.report(`the index of the records is made again: ${thrown.message}`);
      this.rebuild();
      throw new IndexError('index_building', `the index is being made again: ${thrown.message}`, {
        cause: thrown,
      });
    }
  }
}
