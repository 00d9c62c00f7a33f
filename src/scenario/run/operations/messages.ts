import type { Instruction } from '../../program/instruction.ts';
import { RunFault } from '../../rig/fault.ts';
import type { Command, Flow } from '../command.ts';
import { setVariable } from '../set-variable.ts';
import { abortable } from '../time-limit.ts';

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

const NO = /^\s*(n|no|nie)\s*$/i;

/** Asks the operator. A dry-run confirms; without somebody to ask there is no answer, and that is an error. */
export async function prompt(
  { message, name }: Extract<Instruction, { op: 'prompt' }>,
  command: Command,
): Promise<void> {
  const { run, goal } = command;
  const text = run.text(message);
  const save = (value: string, free: boolean): void => {
    const key = name?.includes('$') ? run.strictText(name) : name;
    if (key !== undefined) setVariable(key, { value, free, ...(free ? { simulated: true } : {}) }, command);
  };
  if (run.dry) {
    command.emit({ type: 'prompt', message: text, answer: 'confirmed' });
    save('confirmed', true);
    return;
  }
  const { onPrompt } = run.settings;
  if (!onPrompt)
    throw new RunFault('SCN411', `nobody can be asked "${text}": run it on a terminal, with an operator`);
  const answer = await abortable(onPrompt(text), goal.signal);
  const refused = answer === null || answer === false || (typeof answer === 'string' && NO.test(answer));
  const told = typeof answer === 'string' ? answer : answer === true ? 'confirmed' : null;
  command.emit({ type: 'prompt', message: text, answer: told === '' ? 'confirmed' : told });
  save(told === null ? 'no' : told === '' ? 'confirmed' : told, false);
  if (!refused) return;
  const why = `the operator did not confirm: ${text}`;
  command.add('failed', why);
  goal.add('failed', why);
}

export async function notExecutable(
  { reason }: Extract<Instruction, { op: 'not-executable' }>,
  command: Command,
): Promise<void> {
  if (command.run.dry) command.add('skipped', reason);
  else throw new RunFault('SCN411', `${reason} here; remove the line`);
}

export async function noEffect(): Promise<void> {}
