import type { Diagnostics } from '../diagnostics/collector.ts';
import { type Pos, posInLine } from '../source/position.ts';
import { Definitions } from './definitions.ts';
import type { FlatItem } from './flat-item.ts';
import type { BlockHeader } from './header.ts';
import type { IncludeLoader } from './include-loader.ts';
import { LineCursor, type SourceLine } from './line-cursor.ts';
import type { BodyItem, Document, TopItem } from './node.ts';
import { otherLanguage } from './other-language.ts';
import { ReportedFaults } from './reported-faults.ts';
import { StatementNode } from './statement-node.ts';

/** Files already read, and the chain of those being read, for cycles. */
export interface IncludeState {
  readonly diagnostics: Diagnostics;
  readonly loader: IncludeLoader;
  readonly maxBytes: number | undefined;
  readonly loaded: Set<string>;
  readonly chain: readonly string[];
  /** Reads one file: the top one, or one that is included. */
  readonly read: (source: string | Uint8Array, file: string, includes: IncludeState) => Document;
}

/** A block whose lines are still being gathered. */
export interface OpenBlock {
  readonly header: BlockHeader;
  readonly items: FlatItem[];
  lastLine: SourceLine;
}

/** State of the reader in one file: position and collected nodes, shared by the grammar areas. */
export class ReaderState {
  readonly file: string;
  readonly includeState: IncludeState;
  readonly diagnostics: Diagnostics;
  readonly lines: LineCursor;
  readonly tokenFaults = new ReportedFaults(this);
  readonly items: (TopItem | OpenBlock)[] = [];
  readonly includes: Document[] = [];
  readonly definitions = new Definitions();
  /** Commands at the margin: their severity depends on the dialect, known at the end. */
  readonly notIndented: Pos[] = [];
  block: OpenBlock | undefined;
  /** A block has been opened: metadata is over. */
  started = false;
  /** Lines so far that are neither blank nor comment. */
  meaningful = 0;
  declaredVersion: number | undefined;
  /** Namespace of an @-form scenario. */
  at: string | undefined;
  /** A construct of the legacy dialect was seen. */
  legacySigns = false;
  /** The text is not a scenario: its lines are kept and no longer checked. */
  isOtherLanguage = false;
  #isLanguageKnown = false;
  /** Without an `@` the text cannot become the legacy dialect any more. */
  readonly hasAtSign: boolean;

  constructor(text: string, file: string, includeState: IncludeState) {
    this.file = file;
    this.includeState = includeState;
    this.diagnostics = includeState.diagnostics;
    this.lines = new LineCursor(text);
    this.hasAtSign = text.includes('@');
  }

  open(header: BlockHeader, line: SourceLine): OpenBlock {
    const block: OpenBlock = { header, items: [], lastLine: line };
    this.items.push(block);
    this.block = block;
    this.started = true;
    return block;
  }

  add(node: TopItem | BodyItem, line: SourceLine): void {
    if (!this.block) {
      this.items.push(node as TopItem);
      return;
    }
    this.block.items.push(
      node instanceof StatementNode ? node : { node: node as BodyItem, indent: line.indent },
    );
    // A comment at the margin belongs to the next item.
    if (node.type !== 'comment' || line.indent > 0) this.block.lastLine = this.lines.current;
  }

  /** Keeps a line that could not be read. */
  unknown(line: SourceLine, end: number): void {
    this.add(
      { type: 'unknown', text: line.text.slice(line.start, end), pos: this.pos(line, line.start, end) },
      line,
    );
  }

  /** At the first unknown line before a block: true, and reported once, when the whole text is not a scenario. */
  noticeOtherLanguage(line: SourceLine, end: number): boolean {
    if (this.started || this.#isLanguageKnown) return this.isOtherLanguage;
    this.#isLanguageKnown = true;
    const name = otherLanguage(line, this.lines);
    if (name === undefined) return false;
    this.isOtherLanguage = true;
    this.unknown(line, end);
    this.diagnostics.add(
      'SCN135',
      `this is ${name}, not a scenario of this language; run it with its own tool, or write GOAL: with SET, GET and CHECK`,
      this.pos(line, line.start, end),
    );
    return true;
  }

  /** A command outside any block. */
  outsideBlock(line: SourceLine, end: number): void {
    if (this.noticeOtherLanguage(line, end)) return;
    this.unknown(line, end);
    this.diagnostics.add(
      'SCN110',
      'this command is outside any block; write GOAL: and SET NAME above it',
      this.pos(line, line.start, end),
    );
  }

  pos(line: SourceLine, start: number, end: number): Pos {
    return posInLine(this.file, line.number, start + 1, end + 1);
  }
}
