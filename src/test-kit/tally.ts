import type { Failure, RegisteredTest, TestEvent } from './events.ts';

export interface TestResult {
  suite: string;
  title: string;
  outcome: 'passed' | 'failed' | 'skipped';
  /** Duration; absent for a test that did not run. */
  ms?: number;
  /** Present exactly when failed. */
  failure?: Failure;
  /** Present exactly when skipped. */
  skipReason?: string;
}

/** What one test file came to. Each registered test is in exactly one of three columns. */
export interface FileResult {
  file: string;
  tests: TestResult[];
  /** What went wrong outside of the tests; each counts as one failure. */
  problems: Failure[];
  /** stdout and stderr of the file's process. */
  output: string;
  ms: number;
}

export interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

/** Adds up the events of one file. A test that neither passed nor failed nor was skipped has failed. */
export class FileTally {
  #registered: RegisteredTest[] = [];
  readonly #results = new Map<number, Omit<TestResult, 'suite' | 'title'>>();
  readonly problems: Failure[] = [];
  #finished = false;
  /** Title of the test that is running, for messages. */
  running: string | undefined;

  apply(event: TestEvent): void {
    switch (event.type) {
      case 'registered':
        this.#registered = event.tests;
        break;
      case 'started':
        this.running = this.#registered.find(({ id }) => id === event.id)?.title;
        break;
      case 'passed':
        this.#settle(event.id, { outcome: 'passed', ms: event.ms });
        break;
      case 'failed':
        this.#settle(event.id, { outcome: 'failed', ms: event.ms, failure: event.failure });
        break;
      case 'problem':
        this.problems.push(event.failure);
        break;
      case 'finished':
        this.#finished = true;
        break;
      case 'hook':
        break;
    }
  }

  problem(message: string): void {
    this.problems.push({ message });
  }

  /** The process is gone. `exit` is its exit code, or the signal that ended it. */
  ended(exit: number | string): void {
    const how = typeof exit === 'number' ? `ended with code ${exit}` : `was ended by ${exit}`;
    const where = this.running ? ` in "${this.running}"` : '';
    const explained = this.problems.length > 0 || this.#failedTests > 0;
    if (!this.#finished && this.problems.length === 0) {
      this.problem(`the process ${how}${where} before the file was finished`);
    } else if (this.#finished && exit !== 0 && !explained) {
      this.problem(`the process ${how} although every test passed`);
    }
  }

  tests(): TestResult[] {
    return this.#registered.map(({ id, suite, title, skipReason }) => ({
      suite,
      title,
      ...(skipReason === undefined
        ? (this.#results.get(id) ?? NOT_REACHED)
        : { outcome: 'skipped', skipReason }),
    }));
  }

  get #failedTests(): number {
    return [...this.#results.values()].filter(({ outcome }) => outcome === 'failed').length;
  }

  #settle(id: number, result: Omit<TestResult, 'suite' | 'title'>): void {
    this.running = undefined;
    if (this.#results.has(id)) this.problem(`test number ${id} ended twice`);
    else this.#results.set(id, result);
  }
}

const NOT_REACHED: Omit<TestResult, 'suite' | 'title'> = {
  outcome: 'failed',
  failure: { message: 'never reached' },
};

/** Sums over files; a problem of a file counts as one failure. */
export function countsOf(results: FileResult[]): Counts {
  const tests = results.flatMap((result) => result.tests);
  const having = (outcome: TestResult['outcome']) => tests.filter((test) => test.outcome === outcome).length;
  const problems = results.reduce((sum, result) => sum + result.problems.length, 0);
  return { passed: having('passed'), failed: having('failed') + problems, skipped: having('skipped') };
}
