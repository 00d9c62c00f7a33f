import type { Command } from './command.ts';
import { judgeVariable } from './judge-bounds.ts';
import type { StoredVariable } from './variables.ts';

/** Sets a variable, tells it, and judges it by the bounds of the goal. */
export function setVariable(name: string, variable: StoredVariable, command: Command): void {
  command.run.variables.set(name, variable);
  command.emit({ type: 'variable', name, value: variable.value, unit: variable.unit ?? null });
  if (!judgeVariable(name, command.goal)) command.add('failed', `${name} is outside its bounds`);
}
