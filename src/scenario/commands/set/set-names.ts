import { isLiteral } from '../../program/compile/assignments.ts';
import type { InstructionOf } from '../../program/instruction.ts';
import type { Value } from '../../program/operand.ts';
import type { Command } from '../../run/command.ts';
import { limitOf, type Resolved, resolve } from '../../run/limit.ts';
import { parameterValue } from '../../run/parameters.ts';
import { setVariable } from '../../run/set-variable.ts';
import type { StoredVariable } from '../../run/variables.ts';

export function toVariable(resolved: Resolved): StoredVariable {
  const simulated = resolved.simulated ? { simulated: true } : {};
  if (resolved.kind === 'text') return { value: resolved.text, ...simulated };
  const { value, unit, measure, recompute } = resolved;
  return { value, ...(unit === undefined ? {} : { unit }), measure, recompute, ...simulated };
}

/** A literal does not replace a value given for the run: the command is skipped and reported (LANG-074). */
function keepsGiven(name: string, value: Value, command: Command): boolean {
  const { run } = command;
  if (!run.given.has(name) || !isLiteral(value)) return false;
  const given = run.variables.get(name);
  const unit = given?.unit === undefined ? '' : ` ${given.unit}`;
  command.emit({
    type: 'log',
    level: 'info',
    message: `${name} is given for this run as ${run.variables.text(name)}${unit}; "${command.instruction.text}" is skipped`,
  });
  command.add('skipped');
  return true;
}

export async function setPlainVariable(
  { name, value }: InstructionOf<'set-variable'>,
  command: Command,
): Promise<void> {
  const { run } = command;
  const key = name.includes('$') ? run.strictText(name) : name;
  command.about(key);
  if (keepsGiven(key, value, command)) return;
  const resolved = resolve(value.kind === 'text' ? { ...value, text: run.text(value.text) } : value, run);
  setVariable(key, toVariable(resolved), command);
}

/** A parameter of the actuators; checked when it is set, so that a fault is reported at its line. */
export async function setParameter(
  { name, value }: InstructionOf<'set-parameter'>,
  command: Command,
): Promise<void> {
  command.about(name);
  if (keepsGiven(name, value, command)) return;
  const limit = limitOf(value, command.run);
  parameterValue(name, limit);
  setVariable(name, toVariable({ kind: 'number', ...limit }), command);
}
