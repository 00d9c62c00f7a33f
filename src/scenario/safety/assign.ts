import { type Alternatives, joinAlternatives } from './abstract-value.ts';
import type { Environment } from './environment.ts';
import { textsOf } from './resolve-value.ts';

/** The variables after one is set. No value at all means that the instruction is an error: nothing is set then. */
export function assign(name: string, value: Alternatives, variables: Environment): Environment {
  const names = textsOf(name, variables);
  if (!names) return variables.lose();
  const [only] = names;
  if (only !== undefined && names.length === 1) return variables.set(only, value);
  return names.reduce((all, one) => all.set(one, joinAlternatives(all.get(one), value)), variables);
}
