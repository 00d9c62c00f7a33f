import { Diagnostics } from '../diagnostics/collector.ts';
import type { Dialect } from '../program/program.ts';
import { afterCheckMarks } from '../source/check-mark.ts';
import { decode } from '../source/decode.ts';
import { posInLine } from '../source/position.ts';
import { endOfText } from '../source/tokenize.ts';
import { readAtForm, readAtHeader, readStep } from './at-form.ts';
import { readCommand } from './command-line.ts';
import { Definitions } from './definitions.ts';
import { type BlockHeader, readHeader } from './header.ts';
import { type IncludeLoader, noLoader } from './include-loader.ts';
import type { SourceLine } from './line-cursor.ts';
import { readMetadata } from './metadata.ts';
import { nest } from './nest.ts';
import type { Block, Document, TopItem } from './node.ts';
import { type IncludeState, type OpenBlock, ReaderState } from './reader-state.ts';
import { readTopSection } from './section.ts';
import { DEFAULT_VERSION } from './words.ts';

/** The result of reading one text: always a tree, whatever the text. */
export interface ReadResult {
  readonly document: Document;
  readonly diagnostics: Diagnostics;
}

export interface ReadOptions {
  readonly loader?: IncludeLoader;
  /** Size limit in bytes; default 1 MiB (SCN004). */
  readonly maxBytes?: number;
}

/**
 * Reads a scenario of any version and dialect into a tree. Never throws; the
 * file name is used only for positions and includes.
 */
export function readDocument(
  source: string | Uint8Array,
  file: string,
  options: ReadOptions = {},
): ReadResult {
  const diagnostics = new Diagnostics();
  const includes: IncludeState = {
    diagnostics,
    loader: options.loader ?? noLoader,
    maxBytes: options.maxBytes,
    loaded: new Set([file]),
    chain: [file],
    read: readOne,
  };
  return { document: readOne(source, file, includes), diagnostics };
}

/** Reads one file: the top one, or one that is included. */
function readOne(source: string | Uint8Array, file: string, includes: IncludeState): Document {
  const decoded = decode(source, includes.maxBytes);
  if ('text' in decoded) return readText(new ReaderState(decoded.text, file, includes));
  const start = posInLine(file, 1, 1, 1);
  const { diagnostics } = includes;
  if (decoded.fault === 'html')
    diagnostics.add(
      'SCN001',
      `this is a web page (${decoded.detail}), not a scenario; use the URL of the raw text`,
      start,
    );
  else if (decoded.fault === 'too-large')
    diagnostics.add('SCN004', `the text has ${decoded.detail}; split it into libraries with INCLUDE`, start);
  else diagnostics.add('SCN003', `${decoded.detail}; save the file as UTF-8`, start);
  return emptyDocument(file);
}

const emptyDocument = (file: string): Document => ({
  type: 'document',
  file,
  declaredVersion: undefined,
  version: DEFAULT_VERSION,
  dialect: 'flat',
  items: [],
  includes: [],
  definitions: new Definitions(),
  pos: posInLine(file, 1, 1, 1),
});

function readText(reader: ReaderState): Document {
  const { file, lines } = reader;
  let closed = 0;
  for (let line = lines.next(); line; line = lines.next()) {
    if (line.start < line.text.length) readLine(reader, line);
    // With a declared version the dialect is known: blocks are finished one by one and their lines freed.
    if (reader.declaredVersion !== undefined && !reader.hasAtSign)
      for (; closed < reader.items.length - 1; closed++)
        reader.items[closed] = finishItem(reader, reader.items[closed]!, 'flat');
  }
  const dialect: Dialect =
    reader.at !== undefined || (reader.declaredVersion === undefined && reader.legacySigns)
      ? 'legacy'
      : 'flat';
  reportMargin(reader, dialect);
  const last = lines.current;
  if (reader.meaningful === 0)
    reader.diagnostics.add(
      'SCN002',
      'the text contains no scenario; write at least a GOAL: with a check',
      posInLine(file, 1, 1, 1),
    );
  return {
    type: 'document',
    file,
    declaredVersion: reader.declaredVersion,
    version: reader.declaredVersion ?? DEFAULT_VERSION,
    dialect,
    items: reader.items.map((item) => finishItem(reader, item, dialect)),
    includes: reader.includes,
    definitions: reader.definitions,
    pos: { file, line: 1, col: 1, endLine: last.number, endCol: last.text.length + 1 },
  };
}

function reportMargin({ notIndented, diagnostics }: ReaderState, dialect: Dialect): void {
  for (const pos of notIndented)
    diagnostics.add('SCN111', 'commands of a block are indented; indent this line by two spaces', pos, {
      fix: { pos: { ...pos, endCol: pos.col }, text: '  ' },
      ...(dialect === 'legacy' ? { severity: 'W' as const } : {}),
    });
}

const finishItem = (reader: ReaderState, item: TopItem | OpenBlock, dialect: Dialect): TopItem =>
  'type' in item ? item : finishBlock(reader, item, dialect);

function finishBlock(reader: ReaderState, open: OpenBlock, dialect: Dialect): Block {
  const { header } = open;
  const items = nest(open.items, dialect, reader.diagnostics);
  let named: string | undefined;
  for (const item of items) if (item.type === 'naming') named = item.name;
  let name = named ?? header.name ?? '';
  if (header.namespace !== undefined)
    name = name && name !== header.namespace ? `${header.namespace}/${name}` : header.namespace;
  return {
    type: 'block',
    kind: header.kind,
    keyword: header.keyword,
    headerName: header.name,
    style: header.style,
    name,
    items,
    header: header.pos,
    pos: { ...header.pos, endLine: open.lastLine.number, endCol: endOfText(open.lastLine.text, 0).end + 1 },
    ...(header.comment === undefined ? {} : { comment: header.comment }),
  };
}

/** One line that is not blank: the first matching interpretation. */
function readLine(reader: ReaderState, found: SourceLine): void {
  const start = afterCheckMarks(found.text, found.start);
  const line = start === found.start ? found : { ...found, start };
  const { text } = line;
  if (reader.isOtherLanguage) return reader.unknown(line, endOfText(text, start).end);
  if (start >= text.length) return reader.unknown(found, text.trimEnd().length);
  const code = text.charCodeAt(start);
  if (code === 35 /* # */) {
    const end = text.trimEnd().length;
    return reader.add(
      { type: 'comment', text: text.slice(start, end), pos: reader.pos(line, start, end) },
      line,
    );
  }
  reader.meaningful++;
  if (code === 64 /* @ */) return readAtHeader(reader, line);
  if (code >= 48 && code <= 57 && readStep(reader, line)) return;
  let wordEnd = start;
  while (wordEnd < text.length && text.charCodeAt(wordEnd) > 32) wordEnd++;
  const word = text.slice(start, wordEnd);
  const header = readHeader(line, word, reader.file);
  if (header && openBlock(reader, header, line)) return;
  const kind = reader.block?.header.kind;
  // Blocks with their own grammar, not executed here, are kept as they are.
  if (line.indent > 0 && (kind === 'HARDWARE' || kind === 'EVENT'))
    return reader.unknown(line, endOfText(text, start).end);
  if (readTopSection(reader, line)) return;
  if (reader.at !== undefined && reader.block?.header.kind === 'AT' && readAtForm(reader, line, word)) return;
  if (readMetadata(reader, line, word)) return;
  if (reader.at !== undefined && readAtForm(reader, line, word)) return;
  readCommand(reader, line, word);
}

/** Opens the block of a header; false when `FUNC: x` is a call. */
function openBlock(reader: ReaderState, header: BlockHeader, line: SourceLine): boolean {
  const kind = reader.block?.header.kind;
  const inGoal = kind === 'GOAL' || kind === 'CONFIG' || kind === 'AT';
  const mayCall = header.kind === 'FUNC' && header.style !== 'before-colon' && inGoal && line.indent > 0;
  if (mayCall) {
    const next = reader.lines.peekMeaningful();
    if (!next || next.indent <= line.indent) return false;
  }
  if (header.missingColon && reader.noticeOtherLanguage(line, endOfText(line.text, line.start).end))
    return true;
  if (header.missingColon)
    reader.diagnostics.add(
      'SCN120',
      `${header.keyword} opens a block and needs a colon at the end of its line`,
      header.pos,
      {
        fix: { pos: { ...header.pos, col: header.pos.endCol }, text: ':' },
      },
    );
  if (header.style === 'after-colon' && (header.kind === 'GOAL' || header.kind === 'CONFIG'))
    reader.legacySigns = true;
  reader.open(header, line);
  return true;
}
