import type { Code } from '../diagnostics/catalogue.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { printName } from '../format/words.ts';
import type { Pos } from '../source/position.ts';
import { tokenize } from '../source/tokenize.ts';
import type { Document } from '../syntax/node.ts';
import type { Analysis } from './analysis.ts';
import { type Place, placeOf } from './place.ts';
import type { TextRange } from './source-text.ts';

/** A replacement in the text. */
export interface TextEdit extends TextRange {
  readonly text: string;
}

/** A way to resolve a finding. */
export interface QuickFix {
  readonly title: string;
  readonly edit: TextEdit;
}

/** A finding of `svcctl validate` and where an editor shows it. */
export interface Finding extends TextRange {
  readonly diagnostic: Diagnostic;
  readonly fixes: readonly QuickFix[];
  /** Further places: the finding itself when it lies in an included file, and the calls that led there. */
  readonly related: readonly { readonly place: Place; readonly message: string }[];
}

/** Every finding about a text, in the order of `svcctl validate`. */
export const findingsOf = (analysis: Analysis): Finding[] =>
  analysis.checked.diagnostics.map((diagnostic) => ({
    ...shownAt(analysis, diagnostic),
    diagnostic,
    fixes: fixesOf(analysis, diagnostic),
    related: relatedPlaces(analysis, diagnostic),
  }));

/** A finding in an included file is shown at the call or the INCLUDE that leads there. */
function shownAt(analysis: Analysis, { pos, stack = [] }: Diagnostic): TextRange {
  const { file, source } = analysis;
  const here = [pos, ...stack].find((one) => one.file === file) ?? includeOf(analysis, pos.file);
  return here ? source.range(here) : { from: 0, to: 0 };
}

/** The INCLUDE of the text through which a file was read. */
function includeOf({ document, included }: Analysis, file: string): Pos | undefined {
  const through = document.includes.find((one) => filesOf(one).includes(file))?.file;
  for (const item of document.items) {
    const line = item.type === 'block' ? item.items : [item];
    for (const one of line)
      if (one.type === 'include' && one.path && included.get(one.path.text) === through) return one.pos;
  }
  return undefined;
}

const filesOf = ({ file, includes }: Document): string[] => [file, ...includes.flatMap(filesOf)];

function relatedPlaces(analysis: Analysis, { pos, stack = [], message }: Diagnostic): Finding['related'] {
  const at = (one: Pos, text: string) => {
    const place = placeOf(analysis, one);
    return place ? [{ place, message: text }] : [];
  };
  return [
    ...(pos.file === analysis.file ? [] : at(pos, message)),
    ...stack.flatMap((call) => at(call, 'called from here')),
  ];
}

/** Findings whose position is the misspelt name itself. */
const NAMES: ReadonlySet<Code> = new Set([
  'SCN127',
  'SCN201',
  'SCN220',
  'SCN221',
  'SCN222',
  'SCN228',
  'SCN248',
]);

function fixesOf({ file, source }: Analysis, { code, pos, fix, suggestion }: Diagnostic): QuickFix[] {
  if (fix)
    return fix.pos.file === file
      ? [quickFix(source.slice(source.range(fix.pos)), source.range(fix.pos), fix.text)]
      : [];
  if (suggestion === undefined || pos.file !== file || !NAMES.has(code)) return [];
  const range = source.range(pos);
  const written = source.slice(range);
  const { tokens } = tokenize(written, 0, file, pos.line, NO_FAULTS);
  const [token] = tokens;
  if (tokens.length !== 1 || !token) return [];
  // A quoted or bracketed name keeps its marks.
  const text =
    token.kind === 'bare' ? printName(suggestion) : `${written[0]}${suggestion}${written.slice(-1)}`;
  return [quickFix(written, range, text)];
}

const NO_FAULTS = { unclosedQuote: () => {}, unclosedBracket: () => {}, nestedQuotes: () => {} };

const quickFix = (written: string, { from, to }: TextRange, text: string): QuickFix => ({
  title: titleOf(written, text),
  edit: { from, to, text },
});

function titleOf(written: string, text: string): string {
  if (written === '') return text.trim() === '' ? 'Indent the line' : `Insert "${text}"`;
  return text === '' ? `Remove "${written}"` : `Replace "${written}" by "${text}"`;
}
