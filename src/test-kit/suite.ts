import { setImmediate as turn } from 'node:timers/promises';
import * as uvu from 'uvu';
import { type Clock, systemClock } from '../lib/clock/clock.ts';
import { withinDeadline } from './deadline.ts';
import { installedObserver, type Observer } from './observer.ts';
import { standaloneObserver } from './standalone.ts';

export const DEFAULT_TEST_TIMEOUT_MS = 30_000;

export type Crumbs = { __suite__: string; __test__: string };
export type Callback<T> = (context: T & Crumbs) => unknown;

export interface TestOptions {
  /** Milliseconds the test may take with its `before.each` hooks, and again its `after.each` hooks. Default 30000. */
  timeoutMs?: number;
}

export interface Hook<T> {
  (hook: Callback<T>, options?: TestOptions): void;
  each(hook: Callback<T>): void;
}

/** uvu's suite, with time-outs and skip reasons. */
export interface Suite<T> {
  (title: string, body: Callback<T>, options?: TestOptions): void;
  only(title: string, body: Callback<T>, options?: TestOptions): void;
  /** `reason` says what is missing; uvu's own form, with the test's body instead, gives no reason. */
  skip(title?: string, reason?: string | Callback<T>, body?: Callback<T>): void;
  /** Runs the test when `available`, and otherwise skips it for `reason`. */
  needs(
    available: boolean,
    reason: string,
  ): (title: string, body: Callback<T>, options?: TestOptions) => void;
  before: Hook<T>;
  after: Hook<T>;
  run(): void;
}

/** Hooks around each test of the tests up to the next `run()`. */
interface Batch<T> {
  beforeEach: Callback<T>[];
  afterEach: Callback<T>[];
}

export function suite<T = Record<string, unknown>>(name = '', context?: T): Suite<T> {
  const inner = uvu.suite<T>(name, context);
  const observer = currentObserver();
  const key = observer.opened(name);
  let batch: Batch<T> = { beforeEach: [], afterEach: [] };

  const register =
    (add: (title: string, body: (context: T & Crumbs) => Promise<void>) => void) =>
    (title: string, body: Callback<T>, options: TestOptions = {}) => {
      const id = observer.registered(key, title);
      const hooks = batch;
      const timeoutMs = options.timeoutMs ?? DEFAULT_TEST_TIMEOUT_MS;
      add(title, (state) =>
        runTest({ id, title, timeoutMs, observer, clock: systemClock }, hooks, body, state),
      );
    };

  const skip = (title = 'without a title', reason?: string | Callback<T>) => {
    observer.registered(key, title, typeof reason === 'string' ? reason : 'no reason given');
    inner.skip(title);
  };

  const hook = (kind: 'before' | 'after') => {
    const label = `${kind} hook${name ? ` of suite "${name}"` : ''}`;
    const add = (body: Callback<T>, options: TestOptions = {}) =>
      inner[kind](async (state) => {
        const timeoutMs = options.timeoutMs ?? DEFAULT_TEST_TIMEOUT_MS;
        observer.hookStarted(label, timeoutMs);
        try {
          await withinDeadline(() => body(state), `the ${label}`, timeoutMs, systemClock);
        } catch (error) {
          observer.hookFailed(label, error);
          // uvu skips the tests after a failed `before`; after a failed `after` it would skip the other suites.
          if (kind === 'before') throw error;
        }
      });
    const each = (body: Callback<T>) => {
      batch[`${kind}Each`].push(body);
    };
    return Object.assign(add, { each });
  };

  const test = register((title, body) => inner(title, body));
  return Object.assign(test, {
    only: register((title, body) => inner.only(title, body)),
    skip,
    needs:
      (available: boolean, reason: string) => (title: string, body: Callback<T>, options?: TestOptions) =>
        available ? test(title, body, options) : skip(title, reason),
    before: hook('before'),
    after: hook('after'),
    run: () => {
      observer.ran(key);
      batch = { beforeEach: [], afterEach: [] };
      inner.run();
    },
  });
}

interface Running {
  id: number;
  title: string;
  timeoutMs: number;
  observer: Observer;
  clock: Clock;
}

/** One test with its hooks. The `after.each` hooks run also after a failure or a time-out: they clean up. */
async function runTest<T>(
  { id, title, timeoutMs, observer, clock }: Running,
  { beforeEach, afterEach }: Batch<T>,
  body: Callback<T>,
  state: T & Crumbs,
): Promise<void> {
  const startedAt = clock.monotonic();
  const errors: unknown[] = [];
  const attempt = async (steps: Callback<T>[], what: string) => {
    const work = async () => {
      for (const step of steps) await step(state);
      // A rejection that nobody handled is told one turn later: it shall fail this test and not the next one.
      await turn();
    };
    try {
      await withinDeadline(work, what, timeoutMs, clock, (abort) => observer.started(id, timeoutMs, abort));
    } catch (error) {
      errors.push(error);
    }
  };
  await attempt([...beforeEach, body], `"${title}"`);
  if (afterEach.length > 0) await attempt(afterEach, `the after.each hooks of "${title}"`);
  const ms = clock.monotonic() - startedAt;
  if (errors.length === 0) {
    observer.passed(id, ms);
    return;
  }
  observer.failed(id, ms, errors[0]);
  throw errors[0];
}

function currentObserver(): Observer {
  return installedObserver() ?? standaloneObserver((text) => process.stdout.write(text));
}

/** The suite without a name that a short test file uses. */
export const test: Suite<Record<string, unknown>> = suite();
