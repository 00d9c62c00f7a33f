import { usageError } from '../errors/cli-error.ts';
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

/** Parser of `--vars`: a second file would replace the first one. @throws CliError exit code 2 */
export function variablesFileOption(file: string, previous?: string): string {
  if (previous === undefined) return file;
  throw usageError(
    `--vars "${file}" is a second file beside "${previous}": put all variables into one of them`,
  );
}
