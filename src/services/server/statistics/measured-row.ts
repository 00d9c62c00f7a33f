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
  /** Attempt of the block over all its entries, from 1. */
  readonly attempt: number;
  /** Entry of the block, from 1: a retry replaces attempts of its own entry only. */
  readonly entry: number;
}

/** The rows of one run, which may have judged one measurement several times. */
export interface MeasuredRun {
  readonly runId: string;
  readonly position: number;
  readonly serial: string | null;
  /** Of the last attempt of each entry, whose verdict counts. */
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
  const [first, last] = [new Map<number, number>(), new Map<number, number>()];
  for (const { entry, attempt } of rows) {
    first.set(entry, Math.min(first.get(entry) ?? attempt, attempt));
    last.set(entry, Math.max(last.get(entry) ?? attempt, attempt));
  }
  const counted = rows.filter(({ entry, attempt }) => attempt === last.get(entry));
  return {
    ...{ runId, position, serial, counted },
    superseded: rows.filter(({ entry, attempt }) => attempt !== last.get(entry)),
    verdict: verdictOf(counted),
    firstAttempt: verdictOf(rows.filter(({ entry, attempt }) => attempt === first.get(entry))),
  };
}

function verdictOf(rows: readonly MeasuredRow[]): MeasuredRun['verdict'] {
  if (rows.some(({ outcome }) => outcome === 'failed')) return 'failed';
  return rows.every(({ outcome }) => outcome === 'passed') ? 'passed' : 'none';
}
