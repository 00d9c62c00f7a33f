import { explanationOf, KNOWN_CODES } from '../../scenario/diagnostics/explanations.ts';
import { suggest } from '../../scenario/diagnostics/suggest.ts';
import { usageError } from '../errors/cli-error.ts';
import { EXIT } from '../errors/exit-code.ts';
import type { Io } from '../io/io.ts';

export interface ExplainOptions {
  readonly json?: true;
}

/** `svcctl explain [code]`: one code by its number or name, or all of them in a line each. */
export function explainCommand(wanted: string | undefined, { json }: ExplainOptions, { stdout }: Io): number {
  const all = KNOWN_CODES.map(explanationOf);
  if (wanted === undefined) {
    if (json) stdout.write(`${JSON.stringify(all)}\n`);
    else for (const { code, name, means } of all) stdout.write(`${code} ${name}: ${means}\n`);
    return EXIT.ok;
  }
  const word = wanted.toLowerCase();
  const found = all.find(({ code, name }) => code.toLowerCase() === word || name === word);
  if (!found) {
    const near = suggest(
      wanted,
      all.flatMap(({ code, name }) => [code, name]),
    );
    throw usageError(
      `"${wanted}" is not a code of a finding: ${near ? `did you mean ${near}?` : 'svcctl explain lists them all'}`,
    );
  }
  const { code, name, severity, means, remedy } = found;
  if (json) stdout.write(`${JSON.stringify(found)}\n`);
  else stdout.write(`${code} ${name} (${severity})\n\n  ${means}\n  ${remedy}\n`);
  return EXIT.ok;
}
