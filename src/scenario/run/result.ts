import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import type { GoalMarks, Outcome, RunEvent, SampleStatistics, Variable } from '../events/event.ts';
import type { Pos } from '../source/position.ts';

export interface GoalResult extends GoalMarks {
  readonly index: number;
  readonly kind: 'GOAL' | 'CONFIG';
  readonly name: string;
  readonly teardown: boolean;
  /** Null in validate mode. */
  readonly outcome: Outcome | null;
  readonly checks: number;
  readonly failedChecks: number;
  /** Runs of this block, retries included; 0 when it never ran. */
  readonly attempts: number;
  readonly durationMs: number;
  readonly message?: string;
  readonly pos: Pos;
}

/** A goal with a verdict that rests on its checks. */
export const isJudged = ({ kind, outcome, procedure }: GoalResult): boolean =>
  kind === 'GOAL' && (outcome === 'failed' || (outcome === 'passed' && !procedure));

export interface SampleSeries {
  readonly sensor: string;
  readonly goal: number;
  readonly unit: string | null;
  /** Identity of the calibration that made the values. */
  readonly calibration?: string;
  /** [ms since run start, value or null for a gap] */
  readonly points: readonly (readonly [t: number, value: number | null])[];
  readonly stats: SampleStatistics;
}

/** What `Interpreter.run` resolves with. It never rejects. */
export interface Result {
  /** True when the outcome is passed or skipped; in validate mode when there is no error. */
  readonly ok: boolean;
  readonly outcome: Outcome;
  /** A goal was judged by its checks; false: `passed` says only that the commands succeeded. */
  readonly judged: boolean;
  readonly simulated: boolean;
  readonly bench: boolean;
  readonly source: string;
  readonly startedAt: string;
  readonly durationMs: number;
  /** Blocks that passed; a procedure has no verdict and is not among them. */
  readonly passed: number;
  readonly total: number;
  readonly goals: readonly GoalResult[];
  /** Those that were kept. */
  readonly events: readonly RunEvent[];
  readonly diagnostics: readonly Diagnostic[];
  readonly variables: Readonly<Record<string, Variable>>;
  readonly samples: readonly SampleSeries[];
  readonly exports: Readonly<Record<string, string>>;
}
