import { suggest } from '../diagnostics/suggest.ts';
import { NOT_EXECUTABLE_PREFIXES } from './not-executable.ts';
import type { CommandSpec } from './spec.ts';
import { COMMANDS } from './table.ts';

const byWord = new Map<string, CommandSpec>();
for (const spec of COMMANDS) for (const word of [spec.name, ...spec.aliases]) byWord.set(word, spec);

const cache = new Map<string, CommandSpec | undefined>();

/** The command of a word in any letter case, or undefined. `TASK:` and `SAVE:` carry their colon. */
export function findCommand(word: string): CommandSpec | undefined {
  let spec = cache.get(word);
  if (spec || cache.has(word)) return spec;
  const upper = word.toUpperCase();
  spec = byWord.get(upper) ?? (upper === 'SAVE:' ? byWord.get('SAVE') : undefined);
  if (!spec && NOT_EXECUTABLE_PREFIXES.some((prefix) => upper.startsWith(prefix) && /^[A-Z_]+$/.test(upper)))
    spec = { ...byWord.get('NAVIGATE')!, name: upper, examples: [] };
  if (cache.size < 10_000) cache.set(word, spec);
  return spec;
}

/** The nearest command to a misspelt word. */
export function suggestCommand(word: string): string | undefined {
  const plain = word.replace(/:$/, '');
  if (byWord.has(plain.toUpperCase())) return plain.toUpperCase();
  if (/^(pause|delay|sleep)$/i.test(plain)) return 'WAIT';
  return suggest(plain, byWord.keys())?.toUpperCase();
}
