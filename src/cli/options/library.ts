import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { usageError } from '../errors/cli-error.ts';
import type { Io } from '../io/io.ts';

/** Directory of scenarios where none is configured. */
const DEFAULT_ROOT = 'scenarios';

/**
 * Root of the macro libraries: `--library`, else SVC_SCENARIO_DIR, else `./scenarios` where there is one.
 * @throws CliError exit code 2 when a directory was named that is none
 */
export function libraryRoot(
  option: string | undefined,
  { env, cwd }: Pick<Io, 'env' | 'cwd'>,
): string | undefined {
  const [place, named] =
    option === undefined ? ['SVC_SCENARIO_DIR', env.SVC_SCENARIO_DIR] : ['--library', option];
  if (named) {
    const path = resolve(cwd, named);
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return path;
    throw usageError(`${place} "${named}" is not a directory: name the root of the macro libraries`);
  }
  const path = resolve(cwd, DEFAULT_ROOT);
  return existsSync(path) ? path : undefined;
}
