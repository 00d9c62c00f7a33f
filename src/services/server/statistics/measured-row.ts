import type { Limits } from './limits.ts';

/** One judged value of a run, as the index has it. */
export interface MeasuredRow extends Limits {
  readonly runId: string;
  /** Order of the runs; the wall clock of a rig may jump. */
  readonly position: number;
  /** Serial number of the unit under test, null where none was given. */
  readonly serial: string | null;
  /** Wall clock of the judgement, ms. */
  readonly atMs: number;
  /** Null: the check judged a text, or there was no reading. */
  readonly value: number | null;
  readonly unit: string | null;
  readonly outcome: string;
  /** Attempt of the block, from 1. */
  readonly attempt: number;
}

/** The rows of one run, which may have judged one measurement several times. */
export interface MeasuredRun {
  readonly runId: string;
  readonly position: number;
  readonly serial: string | null;
  /** Of the last attempt, whose verdict counts. */
  readonly counted: readonly MeasuredRow[];
  /** Of the attempts before. */
  readonly superseded: readonly MeasuredRow[];
  /** `none`: neither passed nor failed, for instance since there was no reading. */
  readonly verdict: 'passed' | 'failed' | 'none';
  readonly firstAttempt: 'passed' | 'failed' | 'none';
}

/** @param rows of one measurement, in the order of the runs and of the judgements */
export function measuredRuns(rows: readonly MeasuredRow[]): MeasuredRun[] {
  const runs: MeasuredRow[][] = [];
  for (const row of rows) {
    const last = runs.at(-1);
    if (last?.[0]?.runId === row.runId) last.push(row);
    else runs.push([row]);
  }
  return runs.map(measuredRun);
}

function measuredRun(rows: readonly MeasuredRow[]): MeasuredRun {
  const [only] = rows as [MeasuredRow];
  const { runId, position, serial } = only;
  if (rows.length === 1) {
    const verdict = verdictOf(rows);
    return { runId, position, serial, counted: rows, superseded: [], verdict, firstAttempt: verdict };
  }
  const attempts = rows.map(({ attempt }) => attempt);
  const [first, last] = [Math.min(...attempts), Math.max(...attempts)];
  const counted = rows.filter(({ attempt }) => attempt === last);
  return {
    ...{ runId, position, serial, counted },
    superseded: rows.filter(({ attempt }) => attempt !== last),
    verdict: verdictOf(counted),
    firstAttempt: verdictOf(rows.filter(({ attempt }) => attempt === first)),
  };
}

function verdictOf(rows: readonly MeasuredRow[]): MeasuredRun['verdict'] {
  if (rows.some(({ outcome }) => outcome === 'failed')) return 'failed';
  return rows.every(({ outcome }) => outcome === 'passed') ? 'passed' : 'none';
}
