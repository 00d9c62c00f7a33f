import { suggest } from '../../scenario/diagnostics/suggest.ts';
import { usageError } from '../errors/cli-error.ts';

/**
 * Reads `name=value` words. A value is JSON where it can be read as such, else the text as it stands.
 *
 * @param known names that are allowed
 * @param bare value of a name without `=`; undefined when a value is wanted
 * @throws CliError `usage`, with the name that was probably meant
 */
export function assignments(
  words: readonly string[],
  { device, what, known, bare }: { device: string; what: string; known: readonly string[]; bare?: unknown },
): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const word of words) {
    const at = word.indexOf('=');
    const name = at < 0 ? word : word.slice(0, at);
    if (!known.includes(name)) {
      const near = suggest(name, known);
      throw usageError(
        `${device} has no ${what} "${name}": ${near ? `did you mean ${near}? It` : 'it'} has ${known.join(', ')}`,
      );
    }
    if (at < 0 && bare === undefined)
      throw usageError(`${what} "${name}" of ${device} has no value: write ${name}=value`);
    if (Object.hasOwn(values, name))
      throw usageError(`${word} gives ${name} a second value: keep one of them`);
    values[name] = at < 0 ? bare : readValue(word.slice(at + 1));
  }
  return values;
}

function readValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
