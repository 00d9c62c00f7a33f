import { HighlightStyle, StreamLanguage, syntaxHighlighting } from '@codemirror/language';
import { tags } from '@lezer/highlight';
import type { Vocabulary } from '../language/protocol.ts';

const oneOf = (words: readonly string[]): string =>
  words.map((word) => word.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')).join('|');

/** What a word may be, by the tables of the language. */
const patternsOf = ({ blocks, metadata, commands, keywords, units }: Vocabulary) => ({
  block: new RegExp(`^(?:${oneOf(blocks)})(?=[\\s:]|$)`, 'i'),
  metadata: new RegExp(`^(?:${oneOf(metadata)})(?=:)`),
  command: new RegExp(`^(?:(?:${oneOf(commands)})(?=[\\s:]|$)|→|->)`, 'i'),
  keyword: new RegExp(`^(?:${oneOf(keywords)})(?![\\p{L}\\p{N}_-])`, 'iu'),
  amount: new RegExp(
    `^[-+−]?(?:\\d+(?:[.,]\\d+)?|[.,]\\d+)(?:[eE][-+]?\\d+)?(?:\\s*(?:${oneOf(units)}))?(?![\\p{L}\\p{N}_-])`,
    'u',
  ),
});

/** Colours while typing; what the text means is the business of the worker. */
const languageOf = (patterns: ReturnType<typeof patternsOf>) =>
  StreamLanguage.define<{ isStart: boolean }>({
    name: 'svc-scenario',
    startState: () => ({ isStart: true }),
    token(stream, state) {
      if (stream.sol()) state.isStart = true;
      if (stream.eatSpace()) return null;
      const { isStart } = state;
      state.isStart = false;
      if (stream.match(/^#(?=\s|$)/, false) || (isStart && stream.peek() === '#')) {
        stream.skipToEnd();
        return 'comment';
      }
      if (isStart && stream.match(patterns.block)) return 'heading';
      if (isStart && stream.match(patterns.metadata)) return 'propertyName';
      if (isStart && stream.match(patterns.command)) return 'keyword';
      if (stream.match(/^'(?:\\.|[^'\\])*'?/) || stream.match(/^"(?:\\.|[^"\\])*"?/)) return 'string';
      if (stream.match(/^\$(?:\{[^}]*\}|[\p{L}\p{N}_.]+)/u)) return 'variableName';
      if (stream.match(patterns.amount)) return 'number';
      if (stream.match(/^(?:<=|>=|==|!=|[<>=≤≥≠∈]|\.\.)/)) return 'operator';
      if (stream.match(patterns.keyword)) return 'keyword';
      if (!stream.match(/^[^\s<>=!≤≥≠∈'"]+/)) stream.next();
      return null;
    },
    languageData: { commentTokens: { line: '#' } },
  });

/** Few colours, each with another weight or form, so that none is needed to read the text. */
const style = HighlightStyle.define([
  { tag: tags.comment, color: 'var(--muted)', fontStyle: 'italic' },
  { tag: tags.heading, fontWeight: '700', textDecoration: 'underline', textUnderlineOffset: '0.2em' },
  { tag: tags.propertyName, fontWeight: '600' },
  { tag: tags.keyword, fontWeight: '700' },
  { tag: tags.string, color: 'var(--code-string)' },
  { tag: tags.number, color: 'var(--code-number)' },
  { tag: tags.variableName, color: 'var(--code-number)', fontStyle: 'italic' },
]);

export const colours = (vocabulary: Vocabulary) => [
  languageOf(patternsOf(vocabulary)),
  syntaxHighlighting(style),
];
