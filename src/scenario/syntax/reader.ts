import { findCommand, suggestCommand } from '../commands/lookup.ts';
import { Diagnostics } from '../diagnostics/collector.ts';
import { suggest } from '../diagnostics/suggest.ts';
import type { Dialect } from '../program/program.ts';
import { decode } from '../source/decode.ts';
import { type Pos, posInLine } from '../source/position.ts';
import type { Token } from '../source/token.ts';
import { endOfText, tokenize } from '../source/tokenize.ts';
import type { FlatItem } from './flat-item.ts';
import { type BlockHeader, readHeader } from './header.ts';
import { type IncludeLoader, noLoader } from './include-loader.ts';
import { type SourceLine, splitLines } from './line-cursor.ts';
import { nest } from './nest.ts';
import type { Block, BodyItem, Document, Include, Metadata, Statement, TopItem } from './node.ts';
import {
  ATTRIBUTE_NAMES,
  DEFAULT_VERSION,
  HIGHEST_VERSION,
  METADATA_KEYS,
  OPERATORS,
  SECTION_NAMES,
} from './words.ts';

/** What reading one text gives: always a tree, whatever the text. */
export interface ReadResult {
  readonly document: Document;
  readonly diagnostics: Diagnostics;
}

export interface ReadOptions {
  readonly loader?: IncludeLoader;
  /** Size limit in bytes; default 1 MiB (SCN004). */
  readonly maxBytes?: number;
}

/** Files already read, and the chain of those being read, for cycles. */
interface IncludeState {
  readonly diagnostics: Diagnostics;
  readonly loader: IncludeLoader;
  readonly maxBytes: number | undefined;
  readonly loaded: Set<string>;
  readonly chain: readonly string[];
}

/**
 * Reads a scenario of any version and dialect into a tree (language specification, section 1). Never throws; the
 * file name serves positions and includes only.
 */
export function readDocument(
  source: string | Uint8Array,
  file: string,
  options: ReadOptions = {},
): ReadResult {
  const diagnostics = new Diagnostics();
  const state: IncludeState = {
    diagnostics,
    loader: options.loader ?? noLoader,
    maxBytes: options.maxBytes,
    loaded: new Set([file]),
    chain: [file],
  };
  return { document: readOne(source, file, state), diagnostics };
}

function readOne(source: string | Uint8Array, file: string, state: IncludeState): Document {
  const decoded = decode(source, state.maxBytes);
  if ('text' in decoded) return new Reader(decoded.text, file, state).read();
  const start = posInLine(file, 1, 1, 1);
  if (decoded.fault === 'html')
    state.diagnostics.add(
      'SCN001',
      `this is a web page (${decoded.detail}), not a scenario; use the address of the raw text`,
      start,
    );
  else if (decoded.fault === 'too-large')
    state.diagnostics.add(
      'SCN004',
      `the text has ${decoded.detail}; split it into libraries with INCLUDE`,
      start,
    );
  else state.diagnostics.add('SCN003', `${decoded.detail}; save the file as UTF-8`, start);
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
  pos: posInLine(file, 1, 1, 1),
});

interface OpenBlock {
  readonly header: BlockHeader;
  readonly items: FlatItem[];
  lastLine: SourceLine;
}

class Reader {
  readonly #file: string;
  readonly #state: IncludeState;
  readonly #diagnostics: Diagnostics;
  readonly #lines: readonly SourceLine[];
  readonly #items: (TopItem | OpenBlock)[] = [];
  readonly #includes: Document[] = [];
  readonly #notIndented: Pos[] = [];
  #index = 0;
  #block: OpenBlock | undefined;
  /** A block has been opened: metadata is over. */
  #started = false;
  #meaningful = 0;
  #declaredVersion: number | undefined;
  /** Namespace of an @-form scenario. */
  #at: string | undefined;
  #legacySigns = false;

  constructor(text: string, file: string, state: IncludeState) {
    this.#file = file;
    this.#state = state;
    this.#diagnostics = state.diagnostics;
    this.#lines = splitLines(text);
  }

  read(): Document {
    for (this.#index = 0; this.#index < this.#lines.length; this.#index++) {
      const line = this.#lines[this.#index]!;
      if (line.start < line.text.length) this.#line(line);
    }
    const dialect: Dialect =
      this.#at !== undefined || (this.#declaredVersion === undefined && this.#legacySigns)
        ? 'legacy'
        : 'flat';
    for (const pos of this.#notIndented)
      this.#diagnostics.add(
        'SCN111',
        'commands of a block are indented; put two blanks before this line',
        pos,
        {
          fix: { pos: { ...pos, endCol: pos.col }, text: '  ' },
          ...(dialect === 'legacy' ? { severity: 'W' as const } : {}),
        },
      );
    const last = this.#lines.at(-1)!;
    if (this.#meaningful === 0)
      this.#diagnostics.add(
        'SCN002',
        'the text holds no scenario; write at least a GOAL: with a check',
        posInLine(this.#file, 1, 1, 1),
      );
    return {
      type: 'document',
      file: this.#file,
      declaredVersion: this.#declaredVersion,
      version: this.#declaredVersion ?? DEFAULT_VERSION,
      dialect,
      items: this.#items.map((item) => ('type' in item ? item : this.#finishBlock(item, dialect))),
      includes: this.#includes,
      pos: { file: this.#file, line: 1, col: 1, endLine: last.number, endCol: last.text.length + 1 },
    };
  }

  #finishBlock(open: OpenBlock, dialect: Dialect): Block {
    const { header } = open;
    const items = nest(open.items, dialect, this.#diagnostics);
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

  #line(line: SourceLine): void {
    const { text, start } = line;
    const code = text.charCodeAt(start);
    if (code === 35 /* # */) {
      this.#add(
        {
          type: 'comment',
          text: text.slice(start).trimEnd(),
          pos: this.#pos(line, start, text.trimEnd().length),
        },
        line,
      );
      return;
    }
    this.#meaningful++;
    if (code === 64 /* @ */) return this.#atHeader(line);
    if (code >= 48 && code <= 57 && this.#step(line)) return;
    let wordEnd = start;
    while (wordEnd < text.length && text.charCodeAt(wordEnd) > 32) wordEnd++;
    const word = text.slice(start, wordEnd);
    const header = readHeader(line, word, this.#file);
    if (header && this.#header(header, line)) return;
    if (
      line.indent > 0 &&
      this.#block &&
      (this.#block.header.kind === 'HARDWARE' || this.#block.header.kind === 'EVENT')
    ) {
      // Kept as it is: these blocks have a grammar of their own that nothing here executes.
      this.#unknown(line, endOfText(line.text, line.start).end);
      return;
    }
    if (this.#metadata(line, word)) return;
    if (this.#at !== undefined && this.#atForm(line, word)) return;
    this.#command(line, word);
  }

  // ---- headers -------------------------------------------------------------------------------------------------

  #header(header: BlockHeader, line: SourceLine): boolean {
    const inGoal =
      this.#block &&
      (this.#block.header.kind === 'GOAL' ||
        this.#block.header.kind === 'CONFIG' ||
        this.#block.header.kind === 'AT');
    if (
      header.kind === 'FUNC' &&
      header.style !== 'before-colon' &&
      inGoal &&
      line.indent > 0 &&
      !this.#nextIsDeeper(line)
    )
      return false;
    if (header.missingColon)
      this.#diagnostics.add(
        'SCN120',
        `${header.keyword} opens a block and needs a colon: write ${header.keyword} ${header.name ?? ''}:`.replace(
          ' :',
          ':',
        ),
        header.pos,
        {
          fix: { pos: { ...header.pos, col: header.pos.endCol }, text: ':' },
        },
      );
    if (header.style === 'after-colon' && (header.kind === 'GOAL' || header.kind === 'CONFIG'))
      this.#legacySigns = true;
    this.#open(header, line);
    return true;
  }

  #nextIsDeeper(line: SourceLine): boolean {
    for (let i = this.#index + 1; i < this.#lines.length; i++) {
      const next = this.#lines[i]!;
      if (next.start >= next.text.length || next.text[next.start] === '#') continue;
      return next.indent > line.indent;
    }
    return false;
  }

  #open(header: BlockHeader, line: SourceLine): OpenBlock {
    const block: OpenBlock = { header, items: [], lastLine: line };
    this.#items.push(block);
    this.#block = block;
    this.#started = true;
    return block;
  }

  #atHeader(line: SourceLine): void {
    const { end, comment } = endOfText(line.text, line.start);
    const match = /^@([\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}_-]+)*)\s*:?\s*(.*)$/u.exec(
      line.text.slice(line.start, end),
    );
    const pos = this.#pos(line, line.start, end);
    if (!match) {
      this.#unknown(line, end);
      this.#diagnostics.add(
        'SCN120',
        `an @ header names a scenario, for example @Rig.Mask; found ${line.text.slice(line.start, end)}`,
        pos,
      );
      return;
    }
    if (match[2]) this.#diagnostics.add('SCN124', `text after the @ header is not used: ${match[2]}`, pos);
    this.#at = match[1]!;
    this.#open(
      {
        kind: 'AT',
        keyword: `@${this.#at}`,
        name: this.#at,
        style: 'at',
        pos,
        missingColon: false,
        namespace: undefined,
        comment: comment < 0 ? undefined : line.text.slice(comment).trimEnd(),
      },
      line,
    );
  }

  #openAtGoal(
    name: string | undefined,
    style: Block['style'],
    line: SourceLine,
    end: number,
    comment: number,
  ): void {
    this.#open(
      {
        kind: 'GOAL',
        keyword: '',
        name,
        style,
        pos:
          style === 'implicit' ? this.#pos(line, line.start, line.start) : this.#pos(line, line.start, end),
        missingColon: false,
        namespace: this.#at,
        comment: comment < 0 ? undefined : line.text.slice(comment).trimEnd(),
      },
      line,
    );
  }

  /** Goals, attributes and sections of the @-form; false when the line is a command. */
  #atForm(line: SourceLine, word: string): boolean {
    const { end, comment } = endOfText(line.text, line.start);
    const body = line.text.slice(line.start, end);
    const colon = body.indexOf(':');
    if (colon < 0) return false;
    const key = body.slice(0, colon).trim();
    const rest = body.slice(colon + 1).trim();
    const note = comment < 0 ? {} : { comment: line.text.slice(comment).trimEnd() };
    if (SECTION_NAMES.has(key) && rest === '') {
      this.#section(key, line, end);
      return true;
    }
    if (ATTRIBUTE_NAMES.has(key)) {
      this.#add(
        { type: 'attribute', key, value: unquote(rest), pos: this.#pos(line, line.start, end), ...note },
        line,
      );
      return true;
    }
    if (rest !== '' || line.indent > 2) return false;
    const plain = word.replace(/:$/, '');
    if (findCommand(word) && (word !== body || /^(save|task|else|repeat|loop)$/i.test(plain))) return false;
    this.#openAtGoal(unquote(key), 'at-goal', line, end, comment);
    return true;
  }

  /** Keeps the deeper lines of a section as they are. */
  #section(name: string, line: SourceLine, end: number): void {
    const lines: { text: string; pos: Pos }[] = [];
    let last = line;
    while (this.#index + 1 < this.#lines.length) {
      const next = this.#lines[this.#index + 1]!;
      const blank = next.start >= next.text.length;
      if (!blank && next.indent <= line.indent) break;
      this.#index++;
      if (blank) continue;
      last = next;
      const nextEnd = next.text.trimEnd().length;
      lines.push({ text: next.text.slice(next.start, nextEnd), pos: this.#pos(next, next.start, nextEnd) });
    }
    const head = this.#pos(line, line.start, end);
    const pos = {
      ...head,
      endLine: last.number,
      endCol: last === line ? head.endCol : last.text.trimEnd().length + 1,
    };
    this.#add({ type: 'section', name, lines, pos }, line);
    this.#diagnostics.add('SCN118', `${name} is kept but not executed`, head);
  }

  #step(line: SourceLine): boolean {
    const { end, comment } = endOfText(line.text, line.start);
    const match = /^(\d+(?:\.\d+)*)(?:[.)]\s*|\s+)(\S.*?)\s*:?$/.exec(line.text.slice(line.start, end));
    if (!match || /^(\.\.|[<>=≤≥≠∈!])/.test(match[2]!)) return false;
    const pos = this.#pos(line, line.start, end);
    this.#legacySigns = true;
    if (!this.#block && this.#at === undefined) {
      this.#outside(line, end);
      return true;
    }
    if (this.#block?.header.kind === 'AT') this.#openAtGoal(this.#at, 'implicit', line, line.start, -1);
    this.#diagnostics.add('SCN301', 'numbered steps are a form of version 1', pos);
    this.#add(
      {
        type: 'step',
        number: match[1]!,
        title: unquote(match[2]!),
        pos,
        ...(comment < 0 ? {} : { comment: line.text.slice(comment).trimEnd() }),
      },
      line,
    );
    return true;
  }

  // ---- metadata ------------------------------------------------------------------------------------------------

  #metadata(line: SourceLine, word: string): boolean {
    const first = word.charCodeAt(0);
    if (first < 65 || first > 90) {
      if (!this.#started && /^[a-z_]+:/.test(word)) return this.#lowerCaseMetadata(line, word);
      return false;
    }
    const match = /^([A-Z][A-Z0-9_]*):/.exec(word);
    if (!match) return word === 'VERSION' && !this.#started ? this.#versionWithoutColon(line) : false;
    const key = match[1]!;
    if (key === 'TASK' || key === 'SAVE') return false;
    if (this.#started && !METADATA_KEYS.has(key)) return false;
    if (this.#at !== undefined && SECTION_NAMES.has(key)) return false;
    const { end, comment } = endOfText(line.text, line.start + match[0].length);
    const value = unquote(line.text.slice(line.start + match[0].length, end).trim());
    const pos = this.#pos(line, line.start, Math.max(end, line.start + match[0].length));
    const node: Metadata = {
      type: 'metadata',
      key,
      value,
      pos,
      ...(comment < 0 ? {} : { comment: line.text.slice(comment).trimEnd() }),
    };
    this.#add(node, line);
    if (this.#started) {
      this.#diagnostics.add(
        'SCN119',
        `${key}: stands after the first block; move it to the top of the file`,
        pos,
      );
      return true;
    }
    if (value === '')
      this.#diagnostics.add('SCN105', `${key}: has no text; fill it in or remove the line`, pos);
    if (key === 'VERSION') this.#version(value, pos);
    else if (!METADATA_KEYS.has(key))
      this.#diagnostics.add('SCN104', `${key} is no metadata key that this language knows; it is kept`, pos, {
        suggestion: suggest(key, METADATA_KEYS),
      });
    return true;
  }

  #lowerCaseMetadata(line: SourceLine, word: string): boolean {
    const key = word.slice(0, word.indexOf(':')).toUpperCase();
    if (!METADATA_KEYS.has(key)) return false;
    const { end } = endOfText(line.text, line.start);
    this.#unknown(line, end);
    this.#diagnostics.add(
      'SCN110',
      `metadata keys are upper case: write ${key}:`,
      this.#pos(line, line.start, end),
      {
        suggestion: `${key}:`,
        fix: { pos: this.#pos(line, line.start, line.start + key.length), text: key },
      },
    );
    return true;
  }

  #version(value: string, pos: Pos): void {
    const number = /^\d+(\.0+)?$/.test(value) ? Number(value) : Number.NaN;
    if (!(number >= 1 && number <= HIGHEST_VERSION))
      this.#diagnostics.add(
        'SCN103',
        `VERSION: ${value || '(empty)'} is not supported; write a number from 1 to ${HIGHEST_VERSION}`,
        pos,
      );
    if (this.#meaningful > 1)
      this.#diagnostics.add('SCN102', 'VERSION is not the first line; move it to the top', pos);
    this.#declaredVersion ??= Number.isNaN(number)
      ? DEFAULT_VERSION
      : Math.min(HIGHEST_VERSION, Math.max(1, Math.trunc(number)));
  }

  #versionWithoutColon(line: SourceLine): boolean {
    const { end } = endOfText(line.text, line.start);
    const value = line.text.slice(line.start + 7, end).trim();
    const pos = this.#pos(line, line.start, end);
    this.#diagnostics.add(
      'SCN101',
      `VERSION needs a colon: write VERSION: ${value || DEFAULT_VERSION}`,
      pos,
      {
        fix: { pos, text: `VERSION: ${value || DEFAULT_VERSION}` },
      },
    );
    this.#add({ type: 'metadata', key: 'VERSION', value, pos }, line);
    if (/^[1-5]$/.test(value)) this.#declaredVersion ??= Number(value);
    return true;
  }

  // ---- commands ------------------------------------------------------------------------------------------------

  #command(line: SourceLine, word: string): void {
    const { tokens, comment } = tokenize(line.text, line.start, this.#file, line.number, {
      unclosedQuote: (start, end) =>
        this.#diagnostics.add(
          'SCN121',
          `the quote ${line.text[start]} is never closed on this line; add the closing quote`,
          this.#pos(line, start, end),
        ),
      unclosedBracket: (start, end) =>
        this.#diagnostics.add(
          'SCN122',
          'the bracket [ is never closed on this line; add ]',
          this.#pos(line, start, end),
        ),
      nestedQuotes: (start, end) =>
        this.#diagnostics.add(
          'SCN128',
          'quotes stand inside or against this quoted text; use the other kind of quote or \\ before the inner one',
          this.#pos(line, start, end),
        ),
    });
    const end = tokens.at(-1)?.end ?? line.start;
    const note = comment < 0 ? undefined : line.text.slice(comment).trimEnd();
    const command = this.#commandOf(tokens, word);
    if (command === 'INCLUDE') return this.#include(line, tokens, end, note);
    if (command === undefined) return this.#unknownCommand(line, word, end);
    if (!this.#block || this.#block.header.kind === 'AT') {
      if (!this.#block || command !== '→') return this.#outside(line, end);
      this.#openAtGoal(this.#at, 'implicit', line, line.start, -1);
    }
    if (command === '→') this.#legacySigns = true;
    const pos = this.#pos(line, line.start, end);
    if (line.indent === 0) this.#notIndented.push(pos);
    const naming =
      command === 'NAME'
        ? tokens[1]
        : command === 'SET' && tokens[1]?.text.toUpperCase() === 'NAME'
          ? nameToken(tokens)
          : undefined;
    if (naming) {
      this.#add(
        {
          type: 'naming',
          name: textFrom(line.text, tokens, naming),
          pos,
          ...(note === undefined ? {} : { comment: note }),
        },
        line,
      );
      return;
    }
    const statement: Statement = {
      type: 'statement',
      command,
      tokens,
      indent: line.indent,
      pos,
      ...(note === undefined ? {} : { comment: note }),
    };
    this.#add(statement, line);
  }

  /** Canonical command of a line; `CONDITION` when an operator stands outside any command. */
  #commandOf(tokens: readonly Token[], word: string): string | undefined {
    const first = tokens[0]!;
    const second = tokens[1];
    const spec = first.kind === 'bare' ? findCommand(word) : undefined;
    const operatorNext =
      second !== undefined &&
      second.kind !== 'single' &&
      second.kind !== 'double' &&
      OPERATORS.has(second.text);
    if (spec && !(operatorNext && /^(TIMER|MIN|MAX|VAL|RESULT|RANGE|INPUT|OUT)$/.test(word.toUpperCase()))) {
      if (spec.name === 'FUNC' && /:$/.test(word)) return 'FUNC';
      return spec.name;
    }
    if (/^func:/i.test(word)) return 'FUNC';
    if (/^or$/i.test(word) && second && /^if$/i.test(second.text)) return 'OR IF';
    if (first.kind === 'bare' && (word.startsWith('→') || word.startsWith('->'))) return '→';
    const isCondition = tokens.some((token, index) => {
      if (token.quoted) return false;
      if (index > 0 && OPERATORS.has(token.text)) return true;
      return token.kind === 'bare' && /[^\s<>=!≤≥≠∈][≤≥≠∈<>]=?/.test(token.text);
    });
    return isCondition ? 'CONDITION' : undefined;
  }

  #include(line: SourceLine, tokens: readonly Token[], end: number, comment: string | undefined): void {
    const pos = this.#pos(line, line.start, end);
    const node: Include = {
      type: 'include',
      path: tokens[1],
      pos,
      ...(comment === undefined ? {} : { comment }),
    };
    this.#add(node, line);
    const wanted = tokens[1];
    if (!wanted) {
      this.#diagnostics.add('SCN123', "INCLUDE names a file: INCLUDE 'lib/x.oql'", pos);
      return;
    }
    if (tokens.length > 2)
      this.#diagnostics.add(
        'SCN124',
        'INCLUDE takes one path; the rest of the line is not used',
        tokens[2]!.pos,
      );
    this.#load(wanted);
  }

  #load(wanted: Token): void {
    const found = this.#state.loader.load(wanted.text, this.#file);
    if ('error' in found) {
      if (found.error === 'outside-root')
        this.#diagnostics.add(
          'SCN206',
          `${wanted.text} lies outside the scenario's directory and the library; move the library or use --library`,
          wanted.pos,
        );
      else
        this.#diagnostics.add(
          'SCN204',
          `${wanted.text} was not found${found.tried.length > 0 ? `; looked at ${found.tried.join(', ')}` : ''}`,
          wanted.pos,
        );
      return;
    }
    const at = this.#state.chain.indexOf(found.file);
    if (at >= 0) {
      const cycle = [...this.#state.chain.slice(at), found.file]
        .map((file) => file.split('/').at(-1))
        .join(' -> ');
      this.#diagnostics.add(
        'SCN205',
        `these files include each other: ${cycle}; remove one INCLUDE`,
        wanted.pos,
      );
      return;
    }
    if (this.#state.loaded.has(found.file)) return;
    this.#state.loaded.add(found.file);
    const document = readOne(found.source, found.file, {
      ...this.#state,
      chain: [...this.#state.chain, found.file],
    });
    this.#includes.push(document);
    if (
      document.items.some((item) => item.type === 'block' && (item.kind === 'GOAL' || item.kind === 'CONFIG'))
    )
      this.#diagnostics.add(
        'SCN208',
        `${wanted.text} has goals; only its macros are imported, its goals do not run`,
        wanted.pos,
      );
  }

  // ---- what could not be read ----------------------------------------------------------------------------------

  #unknownCommand(line: SourceLine, word: string, end: number): void {
    const pos = this.#pos(line, line.start, end);
    this.#unknown(line, end);
    const near = suggestCommand(word);
    if (!this.#block) {
      this.#diagnostics.add(
        'SCN110',
        `this line stands before the first block; only metadata, INCLUDE and comments may`,
        pos,
        {
          suggestion: suggest(word.replace(/:$/, ''), ['GOAL', 'CONFIG', 'MACRO', 'FUNC', ...METADATA_KEYS]),
        },
      );
      return;
    }
    this.#diagnostics.add(
      'SCN120',
      `${word} is no command`,
      this.#pos(line, line.start, line.start + word.length),
      {
        suggestion: near,
        ...(near ? { fix: { pos: this.#pos(line, line.start, line.start + word.length), text: near } } : {}),
      },
    );
  }

  #outside(line: SourceLine, end: number): void {
    this.#unknown(line, end);
    this.#diagnostics.add(
      'SCN110',
      'this command stands outside a block; write GOAL: and SET NAME above it',
      this.#pos(line, line.start, end),
    );
  }

  #unknown(line: SourceLine, end: number): void {
    this.#add(
      { type: 'unknown', text: line.text.slice(line.start, end), pos: this.#pos(line, line.start, end) },
      line,
    );
  }

  // ---- shared --------------------------------------------------------------------------------------------------

  #add(node: TopItem | BodyItem, line: SourceLine): void {
    // A comment, INCLUDE or metadata at the margin belongs to the file, unless more of the block follows it.
    if (!this.#block) {
      this.#items.push(node as TopItem);
      return;
    }
    this.#block.items.push({ node: node as BodyItem, indent: line.indent });
    if (node.type !== 'comment' || line.indent > 0) this.#block.lastLine = this.#lines[this.#index] ?? line;
  }

  #pos(line: SourceLine, start: number, end: number): Pos {
    return posInLine(this.#file, line.number, start + 1, end + 1);
  }
}

/** The token that holds the name in `SET NAME 'x'`, an `=` skipped. */
function nameToken(tokens: readonly Token[]): Token | undefined {
  const token = tokens[2];
  return token?.kind === 'bare' && token.text === '=' ? tokens[3] : token;
}

/** A quoted name as it is; a bare one up to the end of the line. */
function textFrom(line: string, tokens: readonly Token[], first: Token): string {
  return first.kind === 'bare' ? line.slice(first.start, tokens.at(-1)!.end) : first.text;
}

/** Outer quotes of a free text removed. */
export function unquote(text: string): string {
  const quote = text[0];
  if (text.length > 1 && (quote === "'" || quote === '"') && text.endsWith(quote)) return text.slice(1, -1);
  return text;
}
