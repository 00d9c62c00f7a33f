import { RunFault } from '../rig/fault.ts';
import type { Command } from './command.ts';
import { judgeVariable } from './judge-bounds.ts';
import type { StoredVariable } from './variables.ts';

/**
 * Sets a variable, reports it, and judges it by the bounds of the goal.
 * @throws RunFault SCN151 for one that was given for the run, whose name was not known before
 */
export function setVariable(name: string, variable: StoredVariable, command: Command): void {
  if (command.run.given.has(name))
    throw new RunFault('SCN151', `${name} is given for this run and cannot be set`);
  command.run.variables.set(name, variable);
  command.emit({ type: 'variable', name, value: variable.value, unit: variable.unit ?? null });
  if (!judgeVariable(name, command.goal)) command.add('failed', `${name} is outside its bounds`);
}
