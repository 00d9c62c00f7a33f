import type { StoreSummary } from '../../../scenario/records/run-store.ts';
import type { MeasurementStatistics } from '../statistics/measurement-statistics.ts';
import type { Interval, ScenarioStatistics } from '../statistics/scenario-statistics.ts';
import type { ListQuestion, RunList, SealOf } from './queries/list-runs.ts';
import type { MeasurementKey } from './queries/measurement-keys.ts';
import type { Origins } from './queries/origins.ts';
import type { RunFilter } from './run-filter.ts';
import type { IndexProgress } from './run-index.ts';

export interface MeasurementRequest {
  readonly key: string;
  readonly filter: RunFilter;
  readonly unit?: string | undefined;
  readonly points: number;
  readonly base?: { readonly sinceMs: number; readonly untilMs: number } | undefined;
}

export interface ScenarioRequest {
  readonly filter: RunFilter;
  readonly interval: Interval;
}

/** What the index is asked, and what it answers. */
export interface Questions {
  list: { ask: ListQuestion; answer: RunList };
  keys: { ask: RunFilter; answer: { measurements: MeasurementKey[]; damaged: number } };
  /** `description` is null for a key that no record has. */
  measurement: {
    ask: MeasurementRequest;
    answer: { description: KeyDescription | null; statistics: MeasurementStatistics; damaged: number };
  };
  scenarios: {
    ask: ScenarioRequest;
    answer: { statistics: ScenarioStatistics; origins: Origins; damaged: number };
  };
  seal: { ask: string; answer: SealOf | null };
  /** Which of these runs were ever seen with an ending. */
  ended: { ask: readonly string[]; answer: string[] };
  progress: { ask: null; answer: IndexProgress };
  summary: { ask: null; answer: StoreSummary };
}

export interface KeyDescription {
  readonly key: string;
  readonly scenario: string;
  readonly block: string;
  readonly check: string;
  readonly sensor: string | null;
}

export type QuestionName = keyof Questions;
export type AskOf<Name extends QuestionName> = Questions[Name]['ask'];
export type AnswerOf<Name extends QuestionName> = Questions[Name]['answer'];
