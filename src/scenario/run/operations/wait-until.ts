import { convert } from '../../../rig/units/units.ts';
import type { Instruction } from '../../program/instruction.ts';
import type { Condition, Value } from '../../program/operand.ts';
import { RunFault } from '../../rig/fault.ts';
import type { Command } from '../command.ts';
import { type Limit, limitOf } from '../limit.ts';
import { pauseUntil } from '../pause.ts';
import { sleepUntil } from '../sleep-until.ts';
import { targetOf } from '../target.ts';
import { conclude, evaluateHere, judgementOf, judgeReadings } from './check.ts';

const POLL_MS = 100;

/**
 * `| WAIT`: with Timer a pause until the goal timer shows that much; else polls until the condition is true, `failed`
 * at the command time-out (language specification, section 2.1).
 */
export async function waitUntil(
  { condition, message: text }: Extract<Instruction, { op: 'wait-until' }>,
  command: Command,
): Promise<void> {
  const { run, goal } = command;
  const pauseMs = timerPause(condition, command);
  if (pauseMs !== undefined) return pauseUntil(goal.timerStartedAt + pauseMs, command);
  const { commandMs } = run.settings.timeouts;
  const start = run.clock.monotonic();
  const end = start + commandMs;
  for (let round = 1; ; round++) {
    const evaluation = await evaluateHere(condition, command);
    judgeReadings(evaluation, command);
    const next = start + round * POLL_MS;
    if (evaluation.holds || Math.max(next, run.clock.monotonic()) >= end) {
      const judgement = judgementOf('WAIT', evaluation);
      const late = `${judgement.text} for ${commandMs} ms${text === undefined ? '' : ` (${run.text(text)})`}`;
      conclude(
        judgement.holds ? judgement : { ...judgement, text: late },
        { onFalse: 'error', ...(text === undefined || !judgement.holds ? {} : { pass: text }) },
        command,
      );
      return;
    }
    await sleepUntil(run.clock, next, goal.signal);
  }
}

/** Milliseconds on the goal timer that the condition names; undefined when it is not about the timer. */
function timerPause(condition: Condition, command: Command): number | undefined {
  if (condition.kind !== 'comparison') return undefined;
  const { left, right } = condition;
  const [timer, other] = left.kind === 'subject' ? [left, right] : [right, left];
  if (timer.kind !== 'subject' || targetOf(timer.subject, command.run).kind !== 'timer') return undefined;
  if (other.kind === 'subject' || other.kind === 'change') return undefined;
  const limit: Limit = limitOf(other as Value, command.run);
  const ms = convert(limit.value, limit.unit ?? timer.unit ?? 's', 'ms');
  if (ms === undefined || !Number.isFinite(ms))
    throw new RunFault('SCN240', `the timer cannot be compared with ${limit.unit}; use ms, s, min or h`);
  return ms;
}
