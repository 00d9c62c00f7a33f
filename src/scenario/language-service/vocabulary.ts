import { UNIT_ROWS } from '../../rig/units/unit-table.ts';
import { COMMANDS } from '../commands/table.ts';
import { BLOCK_KINDS, METADATA_KEYS, SECTION_NAMES } from '../syntax/words.ts';

/** Words that belong to other commands and are no command themselves. */
const KEYWORDS = [
  'AND',
  'OR',
  'ELSE',
  'THEN',
  'TIMES',
  'WHILE',
  'START',
  'STOP',
  'CHOICES',
  'TIMEOUT',
  'CONFIRM',
  'AS',
];

/** The words of the language by their kind, for colours. Longer words come first. */
export const VOCABULARY = {
  blocks: [...BLOCK_KINDS.keys()],
  metadata: [...METADATA_KEYS, ...SECTION_NAMES],
  commands: unique(COMMANDS.flatMap(({ name, aliases }) => [name, ...aliases]).flatMap(wordsOf)),
  keywords: KEYWORDS,
  units: unique(UNIT_ROWS.flatMap(({ names }): readonly string[] => names)),
} as const;

/** `OR IF` is two words; `TASK:` is TASK; an arrow is no word. */
function wordsOf(name: string): string[] {
  return name.split(' ').flatMap((word) => {
    const plain = word.replace(/:$/, '');
    return /^[A-Z_0-9]+$/.test(plain) ? [plain] : [];
  });
}

function unique(words: readonly string[]): string[] {
  return [...new Set(words)].sort((a, b) => b.length - a.length || (a < b ? -1 : 1));
}
