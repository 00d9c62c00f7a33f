import { tokenize } from '../source/tokenize.ts';
import type { Block } from '../syntax/node.ts';
import type { Analysis } from './analysis.ts';
import { type Place, placeOf } from './place.ts';

/** Where the name of a macro is written, quotes included: in its header, or in the SET NAME that wins over it. */
export function macroNameAt(analysis: Analysis, { items, header, keyword, style }: Block): Place | undefined {
  const naming = items.findLast((item) => item.type === 'naming');
  const place = placeOf(analysis, naming?.pos ?? header);
  const source = place && analysis.sources.get(place.file);
  if (!place || !source) return undefined;
  const text = source.slice(place);
  const [from, to] = naming ? namingRange(text) : headerRange(text, keyword.length, style === 'after-colon');
  return { file: place.file, from: place.from + from, to: place.from + to };
}

/** `MACRO name:` or `MACRO: name` */
function headerRange(text: string, keyword: number, afterColon: boolean): [number, number] {
  const start = afterColon ? text.indexOf(':', keyword) + 1 : keyword;
  const end = afterColon ? text.length : text.lastIndexOf(':');
  const name = text.slice(start, end < start ? text.length : end);
  const from = start + name.length - name.trimStart().length;
  return [from, from + name.trim().length];
}

/** `SET NAME 'x'`, `NAME = x` */
function namingRange(text: string): [number, number] {
  const { tokens } = tokenize(text, 0, '', 1, NO_FAULTS);
  const words = tokens.slice(/^set$/i.test(tokens[0]?.text ?? '') ? 2 : 1);
  const name = words[0]?.text === '=' ? words[1] : words[0];
  if (!name) return [text.length, text.length];
  return [name.start, name.kind === 'bare' ? tokens.at(-1)!.end : name.end];
}

const NO_FAULTS = { unclosedQuote: () => {}, unclosedBracket: () => {}, nestedQuotes: () => {} };
