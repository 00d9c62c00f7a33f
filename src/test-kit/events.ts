/** What went wrong, ready to print. */
export interface Failure {
  message: string;
  /** Difference between the actual and the expected value. */
  details?: string;
  /** Stack frames and causes, without Node's own frames. */
  stack?: string;
}

export interface RegisteredTest {
  id: number;
  suite: string;
  title: string;
  /** Why the test does not run; absent for a test that must run. */
  skipReason?: string;
}

/** What a test file's process reports to the runner, one JSON line each. */
export type TestEvent =
  | { type: 'registered'; tests: RegisteredTest[] }
  | { type: 'started'; id: number; timeoutMs: number }
  | { type: 'passed'; id: number; ms: number }
  | { type: 'failed'; id: number; ms: number; failure: Failure }
  | { type: 'hook'; name: string; timeoutMs: number }
  | { type: 'problem'; failure: Failure }
  | { type: 'finished' };

/** File descriptor of the event channel in a test file's process: not stdout, which belongs to the tests. */
export const EVENT_FD = 3;
