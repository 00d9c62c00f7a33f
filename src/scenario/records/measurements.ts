import { checkRows } from '../events/check-rows.ts';
import type { Outcome, PlanEntry, RunEvent } from '../events/event.ts';

/** One judged value of a run: a check, a condition, or a bound by its worst value. */
export interface Measurement {
  /** Of its own in the run: the number of the event that judged it. */
  readonly id: string;
  /** The same in all runs, also when the limits change: scenario, block, check and sensor, see `keyOf`. */
  readonly key: string;
  readonly block: string;
  /** Of the block among those of its name in the plan of the run, from 1. */
  readonly block_number: number;
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
  const numbers = new Map<number | null, number>();
  const attempts = new Map<number, BlockAttempt>();
  const running = new Map<number | null, BlockAttempt>();
  for (const event of events) {
    if (event.type === 'run.start') numberBlocks(event.plan, numbers);
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
    const block_number = numbers.get(goal) ?? 1;
    return {
      id: String(seq),
      key: keyOf(scenario, { block, block_number, check, sensor }),
      ...{
        block,
        block_number,
        check,
        sensor,
        value: actual,
        unit,
        low,
        high,
        outcome,
        message: judged.message,
      },
      calibration,
      at: time,
      ...(attempts.get(seq) ?? FIRST),
      goal,
      position: pos && { file: pos.file, line: pos.line, column: pos.col },
    };
  });
}

/** @param numbers takes the number of each block among those of its name, by its index */
function numberBlocks(plan: readonly PlanEntry[], numbers: Map<number | null, number>): void {
  const counts = new Map<string, number>();
  for (const { index, name } of plan) {
    const number = (counts.get(name) ?? 0) + 1;
    counts.set(name, number);
    numbers.set(index, number);
  }
}

/**
 * `masks/leak/Leak/CHECK AI01 <= # l\/min/AI01`; of the second block `Leak` the second part is `Leak\2`. A backslash and,
 * except in the scenario, a slash inside of a part has a backslash before it, so that different parts never give one key.
 */
function keyOf(
  scenario: string,
  { block, block_number, check, sensor }: Pick<Measurement, 'block' | 'block_number' | 'check' | 'sensor'>,
): string {
  const escaped = (part: string) => part.replace(/[\\/]/g, '\\$&');
  const numbered = block_number === 1 ? escaped(block) : `${escaped(block)}\\${block_number}`;
  return [scenario.replaceAll('\\', '\\\\'), numbered, escaped(check), escaped(sensor ?? '')].join('/');
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
