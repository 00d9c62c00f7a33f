import { checkRows } from '../events/check-rows.ts';
import type { Outcome, RunEvent } from '../events/event.ts';

/** One judged value of a run: a check, a condition, or a bound by its worst value. */
export interface Measurement {
  /** Of its own in the run: the number of the event that judged it. */
  readonly id: string;
  /** The same in all runs, also when the limits change: scenario, block, check and sensor. */
  readonly key: string;
  readonly block: string;
  /** Text of the check without its numbers. */
  readonly check: string;
  readonly sensor: string | null;
  /** Null: nothing was measured. */
  readonly value: number | string | boolean | null;
  readonly unit: string | null;
  readonly low: number | null;
  readonly high: number | null;
  readonly outcome: Outcome;
  readonly message: string;
  /** Identity of the calibration that made the value; null without one. */
  readonly calibration: string | null;
  /** ISO time. */
  readonly at: string;
  /** Attempt of the block over all its entries, from 1. */
  readonly attempt: number;
  /** Of the block: how often order or GOTO had led to it, from 1. A retry replaces attempts of its own entry only. */
  readonly entry: number;
  /** Index of the block; null: outside of all blocks. */
  readonly goal: number | null;
  /** Place of the check in the source. */
  readonly position: { readonly file: string; readonly line: number; readonly column: number } | null;
}

type BlockAttempt = Pick<Measurement, 'attempt' | 'entry'>;
const FIRST: BlockAttempt = { attempt: 1, entry: 1 };

/** The judged values of a run in their order. @param scenario id of the scenario */
export function measurementsOf(events: readonly RunEvent[], scenario: string): Measurement[] {
  const blocks = new Map<number | null, string>();
  const attempts = new Map<number, BlockAttempt>();
  const running = new Map<number | null, BlockAttempt>();
  for (const event of events) {
    if (event.type === 'block.start') {
      blocks.set(event.goal, event.name);
      running.set(event.goal, { attempt: event.attempt, entry: event.entry ?? 1 });
    }
    if (event.type === 'check') attempts.set(event.seq, running.get(event.goal) ?? FIRST);
  }
  return checkRows(events).map(({ check: judged }) => {
    const { seq, goal, sensor, actual, unit, low, high, outcome, time, pos, calibration = null } = judged;
    const block = blocks.get(goal) ?? '';
    // Records of earlier versions do not name their checks.
    const check = judged.name ?? [judged.kind, sensor, judged.op].filter((part) => part !== null).join(' ');
    return {
      id: String(seq),
      key: [scenario, block, check, sensor ?? ''].join('/'),
      ...{ block, check, sensor, value: actual, unit, low, high, outcome, message: judged.message },
      calibration,
      at: time,
      ...(attempts.get(seq) ?? FIRST),
      goal,
      position: pos && { file: pos.file, line: pos.line, column: pos.col },
    };
  });
}

/** The first failed judgement that no later attempt of the same entry of its block replaced. */
export function firstFailedOf(measurements: readonly Measurement[]): Measurement | null {
  const entryOf = ({ goal, entry }: Measurement): string => `${goal} ${entry}`;
  const last = new Map<string, number>();
  for (const one of measurements) last.set(entryOf(one), Math.max(last.get(entryOf(one)) ?? 0, one.attempt));
  return (
    measurements.find((one) => one.outcome === 'failed' && one.attempt === last.get(entryOf(one))) ?? null
  );
}
