import type { Io } from '../io/io.ts';
import { type GivenVariables, readVariablesFile } from './variables-file.ts';

export type { GivenVariables } from './variables-file.ts';

/** Options that give a scenario its variables. */
export interface VariableOptions {
  readonly var?: GivenVariables;
  /** Path of a file. */
  readonly vars?: string;
}

/** The variables of `--vars FILE` and `--var`; for a name in both, `--var` wins. @throws CliError exit code 2 */
export function givenVariables(
  { var: given, vars }: VariableOptions,
  { cwd }: Pick<Io, 'cwd'>,
): GivenVariables {
  return { ...(vars === undefined ? {} : readVariablesFile(vars, cwd)), ...given };
}
