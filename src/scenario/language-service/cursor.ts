import { findCommand } from '../commands/lookup.ts';
import type { ArgumentSpec, CommandSpec } from '../commands/spec.ts';
import type { Token } from '../source/token.ts';
import { startsComment, tokenize } from '../source/tokenize.ts';
import type { Block } from '../syntax/node.ts';
import { BLOCK_KINDS } from '../syntax/words.ts';
import type { Analysis } from './analysis.ts';

/** What may be written at an offset. Judged from the line alone, since a text that is being typed is seldom valid. */
export type Cursor =
  | { readonly kind: 'nothing' }
  /** The first word of a line. */
  | {
      readonly kind: 'first-word';
      readonly from: number;
      readonly indented: boolean;
      readonly block: Block | undefined;
    }
  | { readonly kind: 'metadata'; readonly from: number; readonly key: string }
  | ArgumentCursor;

export interface ArgumentCursor {
  readonly kind: 'argument';
  readonly spec: CommandSpec;
  /** Undefined behind the last argument. */
  readonly argument: ArgumentSpec | undefined;
  /** Start of the word under the cursor. */
  readonly from: number;
  /** The words before it, the command first, without quotes. */
  readonly words: readonly string[];
  /** The cursor is inside quotes or brackets. */
  readonly quoted: boolean;
}

const NOTHING: Cursor = { kind: 'nothing' };

export function cursorAt({ source, document }: Analysis, offset: number): Cursor {
  const number = source.lineAt(offset);
  const start = source.offset(number, 1);
  const before = source.text.slice(start, offset);
  const blank = before.length - before.trimStart().length;
  const word = /^\S*/.exec(before.slice(blank))![0];
  const block = document.items.findLast(
    (item): item is Block => item.type === 'block' && item.header.line <= number,
  );
  if (blank + word.length === before.length && !word.startsWith('#'))
    return { kind: 'first-word', from: start + blank, indented: blank > 0, block };
  const metadata = /^([A-Z][A-Z0-9_]*):\s+(\S*)$/.exec(before);
  if (metadata && !block) return { kind: 'metadata', from: offset - metadata[2]!.length, key: metadata[1]! };
  if (isHeader(word)) return NOTHING;
  return argumentAt(before, start, word) ?? NOTHING;
}

const isHeader = (word: string): boolean =>
  /:$/.test(word) && BLOCK_KINDS.has(word.slice(0, -1).toUpperCase());

function argumentAt(before: string, start: number, word: string): ArgumentCursor | undefined {
  const { tokens, comment } = tokenize(before, 0, '', 1, NO_FAULTS);
  if (comment >= 0 || (before.endsWith('#') && startsComment(before, before.length - 1))) return undefined;
  // `OR IF` takes what IF takes.
  const head = /^or$/i.test(word) && /^if$/i.test(tokens[1]?.text ?? '') ? tokens.slice(1) : tokens;
  const spec = findCommand(head[0]?.text ?? '');
  if (!spec) return undefined;
  const last = head.at(-1)!;
  const open = last.kind !== 'bare' && !isClosed(before, last);
  const isAtWord = last.end === before.length && (last.kind === 'bare' || open);
  // Behind a closing quote nothing can follow without a blank.
  if (last.end === before.length && !isAtWord) return undefined;
  const complete = isAtWord ? head.slice(0, -1) : head;
  const inner = open ? before.slice(last.start + 1) : '';
  const quotedWords = inner.split(/\s+/);
  const typed = open ? quotedWords.at(-1)! : isAtWord ? last.text : '';
  return {
    kind: 'argument',
    spec,
    argument: spec.args[complete.length - 1] ?? restArgument(spec),
    from: start + before.length - typed.length,
    words: [...complete.map(({ text }) => text), ...(open ? quotedWords.slice(0, -1) : [])],
    quoted: open,
  };
}

/** Arguments that take all words to the end of the line. */
const restArgument = ({ args }: CommandSpec): ArgumentSpec | undefined => {
  const last = args.at(-1);
  return last && ['condition', 'range', 'quantity', 'duration', 'rest'].includes(last.kind)
    ? last
    : undefined;
};

const CLOSING: Readonly<Record<string, string>> = { "'": "'", '"': '"', '[': ']' };

const isClosed = (line: string, { start, end }: Token): boolean =>
  end - start > 1 && line[end - 1] === CLOSING[line[start]!];

const NO_FAULTS = { unclosedQuote: () => {}, unclosedBracket: () => {}, nestedQuotes: () => {} };
