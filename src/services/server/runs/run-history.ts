import { messageOf } from '../../../lib/errors/coded-error.ts';
import { IndexError } from '../run-index/index-error.ts';
import { listDirectories } from '../run-index/queries/list-directories.ts';
import type { ListQuestion, RunList, SealOf } from '../run-index/queries/list-runs.ts';
import type { AnswerOf, AskOf } from '../run-index/questions.ts';
import type { IndexThread } from '../run-index/thread/index-thread.ts';

/** A list comes from the directories when the index needs longer, ms. */
const LIST_LIMIT_MS = 2000;
/** Statistics of many runs, ms; a thread that needs longer is replaced. */
const STATISTICS_LIMIT_MS = 9000;

export interface SourcedList extends RunList {
  /** Where the list is from; both show what the directories have at this moment. */
  readonly source: 'index' | 'directories';
  /** Why it is not from the index; null where it is. */
  readonly note: string | null;
}

type Statistics = 'keys' | 'measurement' | 'scenarios';

/** Lists and statistics of the records, by the index; lists also without it. */
export class RunHistory {
  readonly #thread: IndexThread;
  readonly #stateDir: string;

  constructor(thread: IndexThread, stateDir: string) {
    this.#thread = thread;
    this.#stateDir = stateDir;
  }

  /** @throws the system's error where the folder of the records cannot be read; IndexError where only the index can tell */
  async list(question: ListQuestion): Promise<SourcedList> {
    try {
      const list = await this.#thread.ask('list', question, LIST_LIMIT_MS);
      return { ...list, source: 'index', note: null };
    } catch (thrown) {
      // Without the index there is one order, and no word of what failed first: another list would be a wrong one.
      const { filter, sort = 'newest' } = question;
      if (!(thrown instanceof IndexError) || filter.failed !== undefined || sort !== 'newest') throw thrown;
      const list = await listDirectories(this.#stateDir, question);
      return { ...list, source: 'directories', note: messageOf(thrown) };
    }
  }

  /** What the record of a run is worth; null: the index cannot determine. */
  async seal(runId: string): Promise<SealOf | null> {
    try {
      return await this.#thread.ask('seal', runId, LIST_LIMIT_MS);
    } catch (thrown) {
      if (!(thrown instanceof IndexError)) throw thrown;
      return null;
    }
  }

  /** Never from a part of the records. @throws IndexError */
  statistics<Name extends Statistics>(name: Name, ask: AskOf<Name>): Promise<AnswerOf<Name>> {
    return this.#thread.ask(name, ask, STATISTICS_LIMIT_MS);
  }
}
