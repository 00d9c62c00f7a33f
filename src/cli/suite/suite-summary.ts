import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../../lib/clock/clock.ts';
import { reasonOf } from '../../lib/errors/reason.ts';
import { version } from '../../lib/version.ts';
import { writeAtomically } from '../../scenario/outputs/atomic-write.ts';
import { OutputError } from '../../scenario/outputs/output-error.ts';
import type { TestedUnit } from '../../scenario/outputs/record.ts';
import type { LoadedSuite } from './load-suite.ts';
import { type ScenarioEnd, suiteDocument } from './suite-result.ts';

/**
 * The summary of a suite beside the records of its runs: `suites/<start>-<pid>.json`. It is written before the first run
 * and after each, so that a suite that was cut shows how far it came; `ended_at` is null until its end.
 */
export class SuiteSummary {
  readonly #folder: string;
  readonly #path: string;
  readonly #suite: LoadedSuite;
  readonly #startedAt: string;

  constructor(folder: string, suite: LoadedSuite, clock: Clock) {
    this.#startedAt = new Date(clock.now()).toISOString();
    this.#folder = join(folder, 'suites');
    this.#path = join(this.#folder, `${this.#startedAt.replace(/[-:.]/g, '')}-${process.pid}.json`);
    this.#suite = suite;
  }

  /** @param endedAt ISO time @returns why it is not on the disk */
  write(
    ends: readonly ScenarioEnd[],
    aborted: boolean,
    tested: TestedUnit,
    endedAt: string | null,
  ): OutputError | undefined {
    const { outcome, ok, ...document } = suiteDocument(this.#suite, ends, aborted, tested, (result) => ({
      passed: result.passed,
      total: result.total,
      startedAt: result.startedAt,
      durationMs: result.durationMs,
    }));
    const times = { startedAt: this.#startedAt, endedAt, software: { name: 'svc-rig', version } };
    const verdict = endedAt === null ? { outcome: null, ok: false } : { outcome, ok };
    const planned = this.#suite.scenarios.map(({ name }) => name);
    try {
      mkdirSync(this.#folder, { recursive: true });
      writeAtomically(
        this.#path,
        `${JSON.stringify({ schema_version: 1, ...document, ...verdict, planned, ...times }, null, 1)}\n`,
      );
      return undefined;
    } catch (thrown) {
      if (thrown instanceof OutputError) return thrown;
      return new OutputError(`cannot write ${this.#path}: ${reasonOf(thrown)}`, { cause: thrown });
    }
  }
}
