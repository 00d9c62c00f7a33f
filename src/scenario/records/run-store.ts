import { accessSync, constants, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { reasonOf } from '../../lib/errors/coded-error.ts';
import type { RunEvent } from '../events/event.ts';
import type { RunRecord } from '../outputs/record.ts';
import { isJudged, type Result } from '../run/result.ts';
import { anchorOf, EventChain } from './event-chain.ts';
import { readEvents } from './read-events.ts';
import { RecordError } from './record-error.ts';
import { type LateSafeState, recoverRun } from './recover-run.ts';
import { resultOfEvents } from './result-of-events.ts';
import { makeRunDirectory, requireRoom, UNFINISHED, unwritable } from './run-directory.ts';
import { FILES, type RunFile, readRunFile } from './run-file.ts';
import { type RunFacts, type RunIdentity, testedUnitOf } from './run-identity.ts';
import { RunWriter } from './run-writer.ts';

const RUN_ID = /^r-(\d{8})-(\d{4,})$/;

/**
 * The runs of a machine, one directory each below `<state>/runs`. The index is made from the directories; they alone
 * count.
 */
export class RunStore {
  readonly #root: string;
  /** In the order in which they were asked for. */
  #runs: RunFile[] = [];
  readonly #byId = new Map<string, RunFile>();
  #damaged: string[] = [];
  #isOpen = false;

  constructor(stateDir: string) {
    this.#root = join(stateDir, 'runs');
  }

  get directory(): string {
    return this.#root;
  }

  /** What is wrong with directories whose `run.json` cannot be read. They stay as they are. */
  get damaged(): readonly string[] {
    return this.#damaged;
  }

  /** Makes the index. Once it is made, a second call does nothing. @throws RecordError `record_unwritable` */
  open(): void {
    if (this.#isOpen) return;
    try {
      mkdirSync(this.#root, { recursive: true });
    } catch (cause) {
      throw unwritable(this.#root, reasonOf(cause), cause);
    }
    const names = this.#names();
    this.#damaged = [];
    for (const name of names) {
      if (name.startsWith(UNFINISHED)) rmSync(join(this.#root, name), { recursive: true, force: true });
      else if (RUN_ID.test(name)) this.#index(name);
    }
    this.#runs.sort((a, b) => a.identity.serial - b.identity.serial);
    this.#isOpen = true;
  }

  #names(): string[] {
    try {
      return readdirSync(this.#root);
    } catch (cause) {
      throw unwritable(this.#root, reasonOf(cause), cause);
    }
  }

  #index(name: string): void {
    try {
      const file = readRunFile(join(this.#root, name));
      if (file.identity.run_id !== name)
        throw new RecordError(
          'record_damaged',
          `${join(this.#root, name)} is the record of ${file.identity.run_id}`,
        );
      this.#runs.push(file);
      this.#byId.set(name, file);
    } catch (thrown) {
      if (!(thrown instanceof RecordError)) throw thrown;
      this.#damaged.push(thrown.message);
    }
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
  }

  get count(): number {
    return this.#runs.length;
  }

  get(runId: string): RunFile | undefined {
    return this.#byId.get(runId);
  }

  /** Newest first. */
  newest(limit: number): RunFile[] {
    return this.#runs.slice(-limit).reverse();
  }

  /** Runs that have no ending: before any was begun here, those that were cut. */
  unended(): RunFile[] {
    return this.#runs.filter(({ ending }) => ending === null);
  }

  /**
   * Begins the record of a run. @param nowMs wall clock; @param scenario its text as read
   * @throws RecordError `record_unwritable`; then there is no run
   */
  create(facts: RunFacts, scenario: Uint8Array, nowMs: number): RunWriter {
    this.open();
    const createdAt = new Date(nowMs).toISOString();
    const identity: RunIdentity = {
      ...facts,
      run_id: this.#nextId(createdAt),
      serial: (this.#runs.at(-1)?.identity.serial ?? 0) + 1,
      created_at: createdAt,
    };
    const file: RunFile = { schema_version: 1, identity, ending: null, events: null };
    const directory = join(this.#root, identity.run_id);
    const chain = new EventChain(anchorOf(identity));
    const events = makeRunDirectory(directory, file, scenario, chain);
    this.#runs.push(file);
    this.#byId.set(identity.run_id, file);
    return new RunWriter(directory, identity, events, chain);
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

  /** Takes over how a run ended. */
  ended(file: RunFile): void {
    const { run_id: id } = file.identity;
    const at = this.#runs.findLastIndex(({ identity }) => identity.run_id === id);
    this.#runs[at] = file;
    this.#byId.set(id, file);
  }

  /** Ends the record of a run that was cut. @throws OutputError or the system's error */
  async recover(file: RunFile, nowMs: number, late?: LateSafeState): Promise<RunFile> {
    const directory = join(this.#root, file.identity.run_id);
    const ended = await recoverRun(directory, file, new Date(nowMs).toISOString(), late);
    this.ended(ended);
    return ended;
  }

  eventsPath({ identity }: RunFile): string {
    return join(this.#root, identity.run_id, FILES.events);
  }

  /** A run that has ended, with all its evidence. @throws RecordError `record_damaged` */
  async read(file: RunFile): Promise<RunRecord> {
    const { identity, events: seal } = file;
    const directory = join(this.#root, identity.run_id);
    const damaged = (why: string, cause?: unknown) =>
      new RecordError(
        'record_damaged',
        `the record of ${identity.run_id} in ${directory} is damaged: ${why}`,
        { cause },
      );
    try {
      const { events, last } = await readEvents(join(directory, FILES.events), anchorOf(identity));
      if (seal && (events.length !== seal.count || last !== seal.last_sha256))
        throw damaged(`of ${seal.count} events ${events.length} follow each other as they were written`);
      const result: Result = { ...this.#resultOf(directory, identity, events), events };
      const { software, scenario } = identity;
      return {
        result,
        version: software.version,
        scenarioHash: scenario.sha256,
        tested: testedUnitOf(identity),
      };
    } catch (cause) {
      throw cause instanceof RecordError ? cause : damaged(reasonOf(cause), cause);
    }
  }

  /** As it was put down; of a run whose disk did not take it, what the events tell. */
  #resultOf(
    directory: string,
    { scenario, created_at }: RunIdentity,
    events: readonly RunEvent[],
  ): Omit<Result, 'events'> {
    const path = join(directory, FILES.result);
    if (!existsSync(path)) return resultOfEvents(events, scenario.file, created_at);
    const read = JSON.parse(readFileSync(path, 'utf8')) as Omit<Result, 'events'>;
    // Records of earlier versions do not say it.
    return { ...read, judged: read.judged ?? read.goals.some(isJudged) };
  }
}
