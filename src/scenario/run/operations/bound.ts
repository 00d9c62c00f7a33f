import type { Instruction } from '../../program/instruction.ts';
import type { Bound } from '../bounds.ts';
import type { Command } from '../command.ts';
import { requireOneDimension } from '../convert-amount.ts';
import { judgeBound, judgeVariable } from '../judge-bounds.ts';
import { limitOf } from '../limit.ts';
import { requireMeasurable } from '../measurable.ts';
import { namesOf, targetOf } from '../target.ts';

/** MIN, MAX, RANGE: judge the last reading, if any, and each one from now on. */
export async function bound(
  instruction: Extract<Instruction, { op: 'bound' }>,
  command: Command,
): Promise<void> {
  const { run, goal } = command;
  const target = targetOf(instruction.subject, run);
  command.about(...namesOf(target));
  const low = instruction.low && limitOf(instruction.low, run);
  const high = instruction.high && limitOf(instruction.high, run);
  requireOneDimension(low, high);
  if (target.kind === 'sensor')
    for (const limit of [low, high]) if (limit) requireMeasurable(target.sensor, limit, run);
  const shared = low?.unit ?? high?.unit;
  const side = (limit: typeof low) =>
    limit && limit.unit === undefined && shared !== undefined ? { ...limit, unit: shared } : limit;
  const declared: Bound = {
    instruction,
    subject: instruction.subject,
    key: target.key,
    low: side(low),
    high: side(high),
    met: false,
  };
  goal.bounds.declare(declared);
  const last = goal.last(target.key);
  if (last) {
    if (!judgeBound(declared, last, goal)) command.add('failed', goal.message);
  } else if (target.kind === 'variable' && run.variables.has(target.name)) {
    if (!judgeVariable(target.name, goal)) command.add('failed', goal.message);
  }
}
