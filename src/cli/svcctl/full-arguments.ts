import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { suggest } from '../../scenario/diagnostics/suggest.ts';
import { usageError } from '../errors/cli-error.ts';

/** Options that were commands once and still work: `--validate-dir DIR`. */
const OLD_FORMS: Readonly<Record<string, string>> = { '--validate-dir': 'validate-dir' };

const GLOBAL = new Set(['help', '-h', '--help', '-V', '--version']);

/**
 * Puts in the command that an invocation leaves out: a file or URL is run, and an option that was a command becomes
 * one.
 * @throws CliError when the first word is neither a command nor a file but near a command
 */
export function fullArguments(args: readonly string[], commands: readonly string[], cwd: string): string[] {
  const first = args[0];
  if (first === undefined || commands.includes(first) || GLOBAL.has(first)) return [...args];
  const end = args.indexOf('--');
  const at = args.findIndex(
    (arg, index) => (end < 0 || index < end) && OLD_FORMS[arg.split('=', 1)[0] ?? ''] !== undefined,
  );
  const old = args[at];
  if (old !== undefined) {
    const [option = '', ...value] = old.split('=');
    const inline = value.length > 0 ? [value.join('=')] : [];
    return [OLD_FORMS[option]!, ...inline, ...args.slice(0, at), ...args.slice(at + 1)];
  }
  if (/^\w[\w-]*$/.test(first) && !existsSync(resolve(cwd, first))) {
    const near = suggest(first, commands);
    if (near) throw usageError(`"${first}" is neither a command nor a file: did you mean svcctl ${near}?`);
  }
  return ['run', ...args];
}
