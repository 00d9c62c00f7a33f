import type { CheckTexts } from '../program/instruction.ts';
import type { Condition } from '../program/operand.ts';
import { finiteOrNull } from './check-text.ts';
import type { Command, Flow } from './command.ts';
import type { Evaluation } from './condition/describe.ts';
import { evaluate } from './condition/evaluate.ts';
import { judgeBounds } from './judge-bounds.ts';
import { calibrationMember } from './measured.ts';

export interface Judgement {
  readonly kind: string;
  readonly holds: boolean;
  readonly sensor: string | null;
  readonly op: string;
  readonly low: number | null;
  readonly high: number | null;
  readonly actual: number | string | boolean | null;
  readonly unit: string | null;
  readonly calibration?: string;
  /** Default text. */
  readonly text: string;
  /** Names of what was judged, for PASS, FAIL and IF_FAIL. */
  readonly names: readonly string[];
}

/**
 * Reports a check and takes its outcome. Where false is only a message, nothing was checked: a value beside its limit
 * must not stand in a record as passed. @returns where the goal goes on
 */
export function conclude(judgement: Judgement, texts: CheckTexts, command: Command): Flow {
  const { goal, run } = command;
  const { kind, holds, sensor, op, low, high, actual, unit, calibration, names } = judgement;
  const written = holds ? texts.pass : texts.fail;
  const message = written === undefined ? judgement.text : run.text(written);
  command.about(...names);
  if (texts.onFalse === 'error') {
    const outcome = holds ? 'passed' : 'failed';
    const judged = { kind, sensor, op, low, high, actual, unit, ...calibrationMember({ calibration }) };
    goal.judge({ ...judged, outcome, message }, command.instruction, names);
    command.add(outcome, message);
  } else if (!holds) command.emit({ type: 'log', level: texts.onFalse, message });
  if (holds || texts.onFalse !== 'error') command.message ??= message;
  if (holds || texts.elseGoal === undefined) return undefined;
  return { to: 'goal', goal: run.text(texts.elseGoal) };
}

export const judgementOf = (kind: string, evaluation: Evaluation): Judgement => {
  const { holds, sensor, op, low, high, actual, unit, calibration, text, names } = evaluation;
  return {
    kind,
    holds,
    sensor,
    op,
    low: finiteOrNull(low),
    high: finiteOrNull(high),
    actual,
    unit,
    ...calibrationMember({ calibration }),
    text,
    names,
  };
};

export function evaluateHere(condition: Condition, command: Command): Promise<Evaluation> {
  const { instruction, pos, goal } = command;
  return command.timed((signal) => evaluate(condition, goal, { signal, pos, text: instruction.text }));
}

/** The bounds of the goal judge every reading, also those of checks and gates. */
export function judgeReadings({ readings }: Evaluation, command: Command): void {
  for (const reading of readings)
    if (!judgeBounds(reading, command.goal)) command.add('failed', command.goal.message);
}
