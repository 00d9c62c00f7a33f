import type { Failure, RegisteredTest, TestEvent } from './events.ts';
import { describeFailure } from './failure.ts';
import type { Observer } from './observer.ts';

/** The runner's observer inside a test file's process: turns what the suites do into events. */
export class Collector implements Observer {
  readonly #send: (event: TestEvent) => void;
  readonly #tests: RegisteredTest[] = [];
  readonly #suites: { name: string; waiting: number }[] = [];
  #runs = 0;
  #sealed = false;
  #abort: ((error: unknown) => void) | undefined;

  constructor(send: (event: TestEvent) => void) {
    this.#send = send;
  }

  opened(name: string): number {
    return this.#suites.push({ name, waiting: 0 }) - 1;
  }

  registered(key: number, title: string, skipReason?: string): number {
    const suite = this.#suites[key]!;
    suite.waiting += 1;
    if (this.#sealed)
      this.problem({ message: `"${title}" is registered after the file was loaded: it never runs` });
    const id = this.#tests.length;
    this.#tests.push({ id, suite: suite.name, title, ...(skipReason === undefined ? {} : { skipReason }) });
    return id;
  }

  ran(key: number): void {
    const suite = this.#suites[key]!;
    if (suite.waiting === 0)
      this.problem({ message: `${label(suite.name)} calls run() but registers no test` });
    suite.waiting = 0;
    this.#runs += 1;
  }

  started(id: number, timeoutMs: number, abort: (error: unknown) => void): void {
    this.#abort = abort;
    this.#send({ type: 'started', id, timeoutMs });
  }

  passed(id: number, ms: number): void {
    this.#abort = undefined;
    this.#send({ type: 'passed', id, ms });
  }

  failed(id: number, ms: number, error: unknown): void {
    this.#abort = undefined;
    this.#send({ type: 'failed', id, ms, failure: describeFailure(error) });
  }

  hookStarted(name: string, timeoutMs: number): void {
    this.#send({ type: 'hook', name, timeoutMs });
  }

  hookFailed(name: string, error: unknown): void {
    this.problemFrom(`${name} failed`, error);
  }

  /** An error that no test awaited ends the running test; between tests it is a problem of the file. */
  stray(kind: string, error: unknown): void {
    if (this.#abort) this.#abort(error);
    else this.problemFrom(kind, error);
  }

  problem(failure: Failure): void {
    this.#send({ type: 'problem', failure });
  }

  problemFrom(what: string, error: unknown): void {
    const failure = describeFailure(error);
    this.problem({ ...failure, message: `${what}: ${failure.message}` });
  }

  /**
   * The file is loaded, `complete` when without an error: nothing may be registered from now on.
   * @param queued suites that wait in uvu's own queue
   */
  seal(complete: boolean, queued: number): void {
    this.#sealed = true;
    this.#send({ type: 'registered', tests: this.#tests });
    if (!complete) return;
    if (queued > this.#runs) {
      // Without the wrapper a test has no time limit, and nothing reports that it ran.
      const message = `suites that use uvu directly: ${queued - this.#runs}; import suite or test from lib/testing/suite.ts`;
      this.problem({ message });
    }
    if (this.#tests.length === 0) this.problem({ message: 'the file registers no test' });
    for (const { name, waiting } of this.#suites) {
      if (waiting > 0) this.problem({ message: `${label(name)} has ${waiting} tests and never calls run()` });
    }
  }

  finished(): void {
    this.#send({ type: 'finished' });
  }
}

const label = (suite: string) => (suite ? `suite "${suite}"` : 'the suite without a name');
