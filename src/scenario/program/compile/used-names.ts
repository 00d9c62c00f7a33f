import { referencedNames } from '../../values/interpolate.ts';
import type { Instruction } from '../instruction.ts';

/** Members that tell where an instruction stands and what it was written as, and bodies, which are visited by themselves. */
const ASIDE = new Set(['op', 'command', 'text', 'pos', 'stack', 'body', 'then', 'otherwise']);
/** What may turn out to be a variable; a sensor never does. */
const VARIABLE_KINDS = new Set(['variable', 'unknown', 'timer']);

/** Adds the variables that an instruction reads: operands and bounds by name, and `$name` in any of its texts. */
export function usedNames(instruction: Instruction, names: Set<string>): void {
  for (const [key, member] of Object.entries(instruction)) if (!ASIDE.has(key)) gather(member, names);
}

function gather(value: unknown, names: Set<string>): void {
  if (typeof value === 'string') for (const name of referencedNames(value)) names.add(name);
  if (typeof value !== 'object' || value === null) return;
  const { kind, name } = value as { kind?: unknown; name?: unknown };
  if (typeof kind === 'string' && VARIABLE_KINDS.has(kind) && typeof name === 'string') names.add(name);
  for (const member of Object.values(value)) gather(member, names);
}
