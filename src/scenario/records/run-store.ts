import { accessSync, constants, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { reasonOf } from '../../lib/errors/reason.ts';
import type { RunRecord } from '../outputs/record.ts';
import { acceptedKeys, earlierKeys } from './accepted-keys.ts';
import { anchorOf, EventChain, sha256 } from './event-chain.ts';
import { loadRecord } from './load-record.ts';
import { RecordError } from './record-error.ts';
import { type Recovery, recoverRun } from './recover-run.ts';
import { type RigKey, rigKeyOf } from './rig-key.ts';
import { makeRunDirectory, requireRoom, UNFINISHED, unwritable } from './run-directory.ts';
import { FILES, type RunFile, readRunFile } from './run-file.ts';
import type { RunFacts, RunIdentity } from './run-identity.ts';
import { RunWriter } from './run-writer.ts';
import { stationFacts } from './station.ts';
import { type Verification, verifyRecord } from './verify-record.ts';

const RUN_ID = /^r-(\d{8})-(\d{4,})$/;

/** What an index of the records says of them, so that not all of them have to be read. */
export interface StoreSummary {
  readonly count: number;
  /** The largest number in the order of the runs; 0 where there is none. */
  readonly lastSerial: number;
  /** Ids of the runs without an ending. */
  readonly unended: readonly string[];
  /** What is wrong with damaged records. */
  readonly damaged: readonly string[];
}

/**
 * The runs of a machine, one directory each below `<state>/runs`. The directories alone count: in memory are only runs
 * that have no ending on the disk, so that 100,000 records take no room.
 */
export class RunStore {
  readonly #root: string;
  readonly #kept = new Map<string, RunFile>();
  #count = 0;
  #lastSerial = 0;
  #damaged: readonly string[] = [];
  #isOpen = false;
  readonly #keyDir: string;
  #key: RigKey | undefined;

  /** @param keyDir folder of the rig's key; default the state folder */
  constructor(stateDir: string, keyDir = stateDir) {
    this.#root = join(stateDir, 'runs');
    this.#keyDir = keyDir;
  }

  get directory(): string {
    return this.#root;
  }

  /** What was wrong with records when the store was opened. They stay as they are. */
  get damaged(): readonly string[] {
    return this.#damaged;
  }

  /** Makes the folder of the records where there is none. @throws RecordError `record_unwritable` */
  makeFolder(): void {
    try {
      mkdirSync(this.#root, { recursive: true });
    } catch {
      this.#makeAlone();
    }
  }

  /** Of a read-only disk a recursive call says that the folder is not there. @throws RecordError */
  #makeAlone(): void {
    try {
      mkdirSync(this.#root);
    } catch (cause) {
      throw unwritable(this.#root, reasonOf(cause), cause);
    }
  }

  /**
   * Looks at what is there. Once that is done, a second call does nothing.
   * @param known default: every `run.json` is read
   * @throws RecordError `record_unwritable`
   */
  open(known?: StoreSummary): void {
    if (this.#isOpen) return;
    this.makeFolder();
    const names = this.#names();
    for (const name of names)
      if (name.startsWith(UNFINISHED)) rmSync(join(this.#root, name), { recursive: true, force: true });
    this.#kept.clear();
    const damaged: string[] = [...(known?.damaged ?? [])];
    [this.#count, this.#lastSerial] = [known?.count ?? 0, known?.lastSerial ?? 0];
    for (const name of known ? known.unended : names.filter((one) => RUN_ID.test(one)))
      this.#take(name, damaged, known === undefined);
    this.#damaged = damaged;
    this.#isOpen = true;
  }

  #take(name: string, damaged: string[], isCounted: boolean): void {
    try {
      const file = this.#read(name);
      if (isCounted) this.#count += 1;
      this.#lastSerial = Math.max(this.#lastSerial, file.identity.serial);
      if (file.ending === null) this.#kept.set(name, file);
    } catch (thrown) {
      if (!(thrown instanceof RecordError)) throw thrown;
      damaged.push(thrown.message);
    }
  }

  #names(): string[] {
    try {
      return readdirSync(this.#root);
    } catch (cause) {
      throw unwritable(this.#root, reasonOf(cause), cause);
    }
  }

  /** @throws RecordError `record_damaged` */
  #read(name: string): RunFile {
    const directory = join(this.#root, name);
    const file = readRunFile(directory);
    if (file.identity.run_id === name) return file;
    throw new RecordError('record_damaged', `${directory} is the record of ${file.identity.run_id}`);
  }

  /** Makes sure that a run could be recorded now. @throws RecordError `record_unwritable` */
  requireWritable(): void {
    this.open();
    try {
      accessSync(this.#root, constants.W_OK);
    } catch (cause) {
      throw unwritable(this.#root, reasonOf(cause), cause);
    }
    requireRoom(this.#root);
    this.key();
  }

  /** The key that seals the records; made where there is none. @throws RecordError */
  key(): RigKey {
    this.#key ??= rigKeyOf(this.#keyDir);
    return this.#key;
  }

  get count(): number {
    return this.#count;
  }

  /** Undefined: there is no such run. @throws RecordError `record_damaged` */
  get(runId: string): RunFile | undefined {
    const kept = this.#kept.get(runId);
    if (kept) return kept;
    return RUN_ID.test(runId) && existsSync(join(this.#root, runId)) ? this.#read(runId) : undefined;
  }

  /** Newest first, those that can be read. Reads all of them: a long list is for the index. */
  newest(limit: number): RunFile[] {
    const files = this.#names().flatMap((name) => {
      try {
        return this.get(name) ?? [];
      } catch (thrown) {
        if (thrown instanceof RecordError) return [];
        throw thrown;
      }
    });
    return files.sort((a, b) => b.identity.serial - a.identity.serial).slice(0, limit);
  }

  /** Runs that have no ending: before any was begun here, those that were cut. In their order. */
  unended(): RunFile[] {
    return [...this.#kept.values()]
      .filter(({ ending }) => ending === null)
      .sort((a, b) => a.identity.serial - b.identity.serial);
  }

  /**
   * Begins the record of a run. @param nowMs wall clock; @param scenario its text as read
   * @throws RecordError `record_unwritable`; then there is no run
   */
  create(facts: RunFacts, scenario: Uint8Array, nowMs: number): RunWriter {
    this.open();
    const key = this.key();
    const createdAt = new Date(nowMs).toISOString();
    const identity: RunIdentity = {
      ...facts,
      ...stationFacts(key),
      run_id: this.#nextId(createdAt),
      serial: this.#lastSerial + 1,
      created_at: createdAt,
    };
    const file: RunFile = { schema_version: 1, identity, ending: null, events: null };
    const directory = join(this.#root, identity.run_id);
    const chain = new EventChain(anchorOf(identity));
    const events = makeRunDirectory(directory, file, scenario, chain);
    this.#kept.set(identity.run_id, file);
    this.#lastSerial = identity.serial;
    this.#count += 1;
    return new RunWriter(directory, identity, { events, chain, key });
  }

  #nextId(createdAt: string): string {
    const day = createdAt.slice(0, 10).replaceAll('-', '');
    const taken = this.#names().flatMap((name) => {
      const [, date, number] = RUN_ID.exec(name) ?? [];
      return date === day ? [Number(number)] : [];
    });
    const next = taken.reduce((most, one) => Math.max(most, one), 0) + 1;
    return `r-${day}-${String(next).padStart(4, '0')}`;
  }

  /** Takes over how a run ended. It is kept in memory where the disk did not take the ending. */
  ended(file: RunFile): void {
    const { run_id: id } = file.identity;
    if (this.#isOnDisk(id)) this.#kept.delete(id);
    else this.#kept.set(id, file);
  }

  #isOnDisk(id: string): boolean {
    try {
      return this.#read(id).ending !== null;
    } catch (thrown) {
      if (thrown instanceof RecordError) return false;
      throw thrown;
    }
  }

  /**
   * Ends the record of a run that was cut. @param nowMs wall clock
   * @throws RecordError `record_damaged`; OutputError; the system's error
   */
  async recover(
    file: RunFile,
    nowMs: number,
    known: Pick<Recovery, 'late' | 'endedBefore'> = {},
  ): Promise<RunFile> {
    const directory = join(this.#root, file.identity.run_id);
    const key = this.key();
    const keys = this.#acceptedKeys() ?? [key.public.fingerprint];
    const at = new Date(nowMs).toISOString();
    const ended = await recoverRun(directory, file, { key, keys, at, ...known });
    this.ended(ended);
    return ended;
  }

  /** Compares a record with its seal. Undefined: there is no such run. @throws RecordError `record_damaged` */
  async verify(runId: string): Promise<Verification | undefined> {
    const directory = join(this.#root, runId);
    if (!RUN_ID.test(runId) || !existsSync(directory)) return undefined;
    try {
      return await verifyRecord(directory, { keys: this.#acceptedKeys() });
    } catch (cause) {
      const message = `the record in ${directory} cannot be read: ${reasonOf(cause)}`;
      throw new RecordError('record_damaged', message, { cause });
    }
  }

  eventsPath({ identity }: RunFile): string {
    return join(this.#root, identity.run_id, FILES.events);
  }

  /** The text that was run. @throws RecordError `record_damaged` where it is missing or another one */
  scenarioText({ identity: { run_id, scenario } }: RunFile): string {
    const path = join(this.#root, run_id, FILES.scenario);
    let bytes: Buffer;
    try {
      bytes = readFileSync(path);
    } catch (cause) {
      throw new RecordError('record_damaged', `${path} cannot be read: ${reasonOf(cause)}`, { cause });
    }
    if (sha256(bytes) === scenario.sha256) return bytes.toString('utf8');
    throw new RecordError('record_damaged', `${path} is not the text that was run: its SHA-256 differs`);
  }

  /** A run that has ended, with all its evidence. @throws RecordError `record_damaged` */
  async read(file: RunFile): Promise<RunRecord> {
    return loadRecord(join(this.#root, file.identity.run_id), file, { keys: this.#acceptedKeys() });
  }

  /** A seal by any other key shows nothing. @throws RecordError `key_unusable`; the system's error */
  #acceptedKeys(): string[] | undefined {
    if (!this.#key) return acceptedKeys(this.#keyDir);
    return [this.#key.public.fingerprint, ...earlierKeys(this.#keyDir)];
  }
}
