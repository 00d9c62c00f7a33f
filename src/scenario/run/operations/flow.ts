import { normalName } from '../../../rig/registry/name.ts';
import type { Instruction } from '../../program/instruction.ts';
import { RunFault } from '../../rig/fault.ts';
import { parseNumber } from '../../values/number.ts';
import type { Command, Flow } from '../command.ts';
import { setVariable } from '../set-variable.ts';
import { evaluateHere, judgeReadings } from './check.ts';

/** Most rounds of LOOP WHILE, and most of a counted loop. */
const MAX_ROUNDS = 1000;

export const call = ({ body }: Extract<Instruction, { op: 'call' }>, command: Command): Promise<Flow> =>
  command.body(body);

export async function unknownMacro({ macro }: Extract<Instruction, { op: 'unknown-macro' }>): Promise<void> {
  throw new RunFault('SCN201', `no macro is named "${macro}"`);
}

export async function repeat(
  { count, body }: Extract<Instruction, { op: 'repeat' }>,
  command: Command,
): Promise<Flow> {
  for (let round = 0; round < count; round++) {
    const flow = await command.body(body);
    if (flow) return flow;
  }
  return undefined;
}

/** LOOP n TIMES, LOOP WHILE; with both, at most that many rounds. */
export async function loop(
  instruction: Extract<Instruction, { op: 'loop' }>,
  command: Command,
): Promise<Flow> {
  const { condition, body } = instruction;
  const times = timesOf(instruction, command);
  for (let round = 0; ; round++) {
    if (round === times) return undefined;
    if (condition) {
      const evaluation = await evaluateHere(condition, command);
      judgeReadings(evaluation, command);
      if (!evaluation.holds) return undefined;
      if (round === MAX_ROUNDS)
        throw new RunFault('SCN407', `LOOP WHILE did not end within ${MAX_ROUNDS} rounds`);
    }
    setVariable('ITER', { value: round }, command);
    const flow = await command.body(body);
    if (flow) return flow;
  }
}

function timesOf({ times }: Extract<Instruction, { op: 'loop' }>, { run }: Command): number | undefined {
  if (typeof times !== 'object') return times;
  const text = run.strictText(times.template);
  const count = parseNumber(text);
  if (count === undefined || !Number.isInteger(count) || count < 1 || count > MAX_ROUNDS)
    throw new RunFault('SCN411', `LOOP ${text} TIMES: the count is a whole number from 1 to ${MAX_ROUNDS}`);
  return count;
}

export async function goTo({ goal }: Extract<Instruction, { op: 'goto' }>, { run }: Command): Promise<Flow> {
  return { to: 'goal', goal: run.text(goal) };
}

/** IF_FAIL: runs when something on that name failed in this goal or erred in an earlier one. */
export async function ifFail(
  { key, body }: Extract<Instruction, { op: 'if-fail' }>,
  command: Command,
): Promise<Flow> {
  const { run, goal } = command;
  const name = run.text(key);
  const wanted = new Set(aliasesOf(name, command));
  const hit = [...goal.failures, ...run.erred].some((one) =>
    aliasesOf(one, command).some((alias) => wanted.has(alias)),
  );
  return hit ? command.body(body) : undefined;
}

function aliasesOf(name: string, { run }: Command): string[] {
  const ids = [run.registry.sensor(name)?.id, run.registry.peripheral(name)?.id];
  return [normalName(name), ...ids.filter((id) => id !== undefined)];
}
