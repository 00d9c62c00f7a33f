import type { Instruction } from '../../program/instruction.ts';
import { RunFault } from '../../rig/fault.ts';
import type { Command, Flow } from '../command.ts';

export async function log(
  { level, message }: Extract<Instruction, { op: 'log' }>,
  command: Command,
): Promise<void> {
  command.emit({
    type: 'log',
    level: level === 'result' ? 'info' : level,
    message: command.run.text(message),
  });
}

/** ERROR alone: the goal failed and ends. */
export async function failGoal(
  { message }: Extract<Instruction, { op: 'fail-goal' }>,
  command: Command,
): Promise<Flow> {
  const text = command.run.text(message);
  command.add('failed', text);
  command.goal.add('failed', text);
  return { to: 'end' };
}

/** PASS, FAIL: kept for the end of the goal. */
export async function verdictText(
  instruction: Extract<Instruction, { op: 'verdict-text' }>,
  command: Command,
): Promise<void> {
  command.goal.verdictTexts.add(instruction);
}

export async function notExecutable({
  reason,
}: Extract<Instruction, { op: 'not-executable' }>): Promise<void> {
  throw new RunFault('SCN411', `${reason} here; remove the line`);
}

export async function noEffect(): Promise<void> {}
