/** Where a suite reports what it registers and what happens, while the tests run. */
export interface Observer {
  /** A new suite; the returned key stands for it. */
  opened(name: string): number;
  /** A test of the suite `key`; the returned id stands for it. `skipReason` is given when it will not run. */
  registered(key: number, title: string, skipReason?: string): number;
  /** `run()` was called for everything the suite has registered so far. */
  ran(key: number): void;
  /** `abort` ends the test with an error that came from outside of it. */
  started(id: number, timeoutMs: number, abort: (error: unknown) => void): void;
  passed(id: number, ms: number): void;
  failed(id: number, ms: number, error: unknown): void;
  hookStarted(name: string, timeoutMs: number): void;
  hookFailed(name: string, error: unknown): void;
}

// Shared through globalThis: the runner's half and the test file's half are two bundles in one process.
const KEY = Symbol.for('svc-rig.testing.observer');
const shared = globalThis as { [KEY]?: Observer };

export function installObserver(observer: Observer): void {
  shared[KEY] = observer;
}

/** The runner's observer; undefined when a test file runs on its own. */
export function installedObserver(): Observer | undefined {
  return shared[KEY];
}
