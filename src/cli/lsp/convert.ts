import {
  type CodeLens,
  type CompletionItem,
  CompletionItemKind,
  type Diagnostic,
  DiagnosticSeverity,
  type DocumentSymbol,
  type FoldingRange,
  FoldingRangeKind,
  type Hover,
  InsertTextFormat,
  type Location,
  MarkupKind,
  type Range,
  SymbolKind,
} from 'vscode-languageserver';
import { TextDocument } from 'vscode-languageserver-textdocument';
import type { Analysis } from '../../scenario/language-service/analysis.ts';
import type { Completion, CompletionItem as Offered } from '../../scenario/language-service/completion.ts';
import type { Finding } from '../../scenario/language-service/findings.ts';
import type { FoldingRange as Folding } from '../../scenario/language-service/folding.ts';
import type { Hover as About } from '../../scenario/language-service/hover.ts';
import type { CodeLens as Lens } from '../../scenario/language-service/lenses.ts';
import type { OutlineItem } from '../../scenario/language-service/outline.ts';
import type { Place } from '../../scenario/language-service/place.ts';
import type { TextRange } from '../../scenario/language-service/source-text.ts';
import { uriOfFile } from './file-uri.ts';

/** The command of the code lens; arguments: URI, and the goal or nothing. */
export const DRY_RUN = 'svc-rig.dryRun';

export const rangeOf = (document: TextDocument, { from, to }: TextRange): Range => ({
  start: document.positionAt(from),
  end: document.positionAt(to),
});

/** A place in the text or in a file that it includes. */
export function locationOf({ sources }: Analysis, place: Place, uri = uriOfFile(place.file)): Location {
  const text = sources.get(place.file)?.text ?? '';
  return { uri, range: rangeOf(TextDocument.create(uri, '', 0, text), place) };
}

const SEVERITIES = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  info: DiagnosticSeverity.Information,
} as const;

export const diagnosticOf = (document: TextDocument, analysis: Analysis, finding: Finding): Diagnostic => ({
  range: rangeOf(document, finding),
  severity: SEVERITIES[finding.diagnostic.severity],
  code: finding.diagnostic.code,
  source: 'svcctl',
  message: finding.diagnostic.message,
  ...(finding.related.length === 0
    ? {}
    : {
        relatedInformation: finding.related.map(({ place, message }) => ({
          location: locationOf(analysis, place),
          message,
        })),
      }),
});

const ITEM_KINDS: Readonly<Record<Offered['kind'], CompletionItemKind>> = {
  command: CompletionItemKind.Keyword,
  block: CompletionItemKind.Class,
  metadata: CompletionItemKind.Property,
  actuator: CompletionItemKind.Field,
  sensor: CompletionItemKind.Field,
  variable: CompletionItemKind.Variable,
  macro: CompletionItemKind.Function,
  goal: CompletionItemKind.Reference,
  unit: CompletionItemKind.Unit,
  value: CompletionItemKind.Value,
  file: CompletionItemKind.File,
};

export const completionItems = (document: TextDocument, { items, from, to }: Completion): CompletionItem[] =>
  items.map(({ label, kind, detail, documentation, text }) => ({
    label,
    kind: ITEM_KINDS[kind],
    insertTextFormat: InsertTextFormat.PlainText,
    textEdit: { range: rangeOf(document, { from, to }), newText: text },
    ...(detail === undefined ? {} : { detail }),
    ...(documentation === undefined ? {} : { documentation }),
  }));

/** Markdown in which only the code blocks are not escaped. */
export const hoverOf = (document: TextDocument, about: About): Hover => ({
  range: rangeOf(document, about),
  contents: {
    kind: MarkupKind.Markdown,
    value: [
      codeBlock([about.signature]),
      ...about.sentences.map((sentence) => sentence.replace(/[\\`*_{}[\]<>()#+!|~-]/g, '\\$&')),
      ...(about.examples.length > 0 ? [codeBlock(about.examples)] : []),
    ].join('\n\n'),
  },
});

const codeBlock = (lines: readonly string[]): string => ['```svc-scenario', ...lines, '```'].join('\n');

const SYMBOL_KINDS: Readonly<Record<OutlineItem['kind'], SymbolKind>> = {
  goal: SymbolKind.Class,
  config: SymbolKind.Constructor,
  macro: SymbolKind.Function,
  section: SymbolKind.Namespace,
  step: SymbolKind.Event,
};

export const symbolOf = (document: TextDocument, item: OutlineItem): DocumentSymbol => ({
  name: item.name,
  kind: SYMBOL_KINDS[item.kind],
  range: rangeOf(document, item.range),
  selectionRange: rangeOf(document, item.selection),
  children: item.children.map((child) => symbolOf(document, child)),
});

/** Lines as the editor counts them: U+2028 ends a line of the language, and none of an editor. */
export const foldingOf = (document: TextDocument, { source }: Analysis, folding: Folding): FoldingRange => ({
  startLine: document.positionAt(source.offset(folding.startLine, 1)).line,
  endLine: document.positionAt(source.offset(folding.endLine, 1)).line,
  ...(folding.kind === 'comment' ? { kind: FoldingRangeKind.Comment } : {}),
});

export const lensOf = (document: TextDocument, lens: Lens): CodeLens => ({
  range: rangeOf(document, lens),
  command: {
    title: lens.title,
    command: DRY_RUN,
    arguments: [document.uri, ...(lens.goal === undefined ? [] : [lens.goal])],
  },
});
