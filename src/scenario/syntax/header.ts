import { type Pos, posInLine } from '../source/position.ts';
import { endOfText } from '../source/tokenize.ts';
import { unquote } from '../source/unquote.ts';
import type { SourceLine } from './line-cursor.ts';
import type { Block, BlockKind } from './node.ts';
import { BLOCK_KINDS } from './words.ts';

export interface BlockHeader {
  readonly kind: BlockKind;
  readonly keyword: string;
  readonly name: string | undefined;
  readonly style: Block['style'];
  readonly pos: Pos;
  readonly comment: string | undefined;
  readonly missingColon: boolean;
  /** Scenario of an @-form goal. */
  readonly namespace: string | undefined;
}

const kinds = new Map<string, BlockKind | null>();

/** The block kind of a word, its colon aside; cached because most words of a scenario are none. */
function kindOf(word: string): BlockKind | undefined {
  const known = kinds.get(word);
  if (known !== undefined) return known ?? undefined;
  const colon = word.indexOf(':');
  const kind = BLOCK_KINDS.get((colon < 0 ? word : word.slice(0, colon)).toUpperCase());
  if (kinds.size < 10_000) kinds.set(word, kind ?? null);
  return kind;
}

/**
 * Reads `GOAL:`, `GOAL: x`, `GOAL x:` and their like. Undefined when the line is not a header. `FUNC 'm' 'a'` and
 * `FUNC 'v' = ...` have no colon and are commands; other kinds without a colon are faulty headers.
 */
export function readHeader(line: SourceLine, word: string, file: string): BlockHeader | undefined {
  const kind = kindOf(word);
  if (!kind) return undefined;
  const { end, comment } = endOfText(line.text, line.start);
  const body = line.text.slice(line.start, end);
  const colon = word.indexOf(':');
  const keyword = colon < 0 ? word : word.slice(0, colon);
  const rest = body.slice(keyword.length).trim();
  const header = (style: Block['style'], rawName: string, missingColon = false): BlockHeader => {
    const name = unquote(rawName.trim());
    return {
      kind,
      keyword: keyword.toUpperCase(),
      name: name === '' ? undefined : name,
      style: name === '' ? 'none' : style,
      pos: posInLine(file, line.number, line.start + 1, end + 1),
      comment: comment < 0 ? undefined : line.text.slice(comment).trimEnd(),
      missingColon,
      namespace: undefined,
    };
  };
  if (rest.startsWith(':')) return header('after-colon', rest.slice(1));
  if (rest.endsWith(':')) return header('before-colon', rest.slice(0, -1));
  if (kind === 'FUNC') return undefined;
  return header('before-colon', rest, true);
}
