import { type Pos, posInLine } from '../source/position.ts';
import type { Token } from '../source/token.ts';
import { type TokenFaults, tokenize } from '../source/tokenize.ts';
import type { FlatItem } from './flat-item.ts';
import type { BodyItem, Statement } from './node.ts';

/** Members that only some statements have; kept apart so that the others stay small. */
interface Parts {
  body?: readonly BodyItem[] | undefined;
  otherwise?: readonly BodyItem[] | undefined;
  alternatives?: readonly Statement[] | undefined;
  elseLine?: Statement | undefined;
  closer?: Statement | undefined;
  role?: 'check' | 'branch' | undefined;
}

let latest: { readonly statement: Statement; readonly tokens: readonly Token[] } | undefined;

/** Faults of the text were reported when it was first read. */
const silent: TokenFaults = {
  unclosedQuote: () => undefined,
  unclosedBracket: () => undefined,
  nestedQuotes: () => undefined,
};

/**
 * A command line of the tree. It keeps its text; tokens are made on demand, because few lines of a long scenario are
 * used twice.
 */
export class StatementNode implements Statement, FlatItem {
  readonly command: string;
  readonly source: string;
  readonly indent: number;
  readonly comment?: string;
  readonly #file: string;
  readonly #line: number;
  readonly #start: number;
  #parts: Parts | undefined;

  /** @param start offset of the command in its line */
  constructor(
    command: string,
    source: string,
    indent: number,
    file: string,
    line: number,
    start: number,
    comment?: string,
  ) {
    this.command = command;
    this.source = source;
    this.indent = indent;
    this.#file = file;
    this.#line = line;
    this.#start = start;
    if (comment !== undefined) this.comment = comment;
  }

  get type(): 'statement' {
    return 'statement';
  }

  get node(): this {
    return this;
  }

  get pos(): Pos {
    return posInLine(this.#file, this.#line, this.#start + 1, this.#start + this.source.length + 1);
  }

  /** All tokens, the command word first. The tokens of the last statement are cached: it is often asked repeatedly. */
  get tokens(): readonly Token[] {
    if (latest?.statement !== this)
      latest = {
        statement: this,
        tokens: tokenize(this.source, 0, this.#file, this.#line, silent, this.#start).tokens,
      };
    return latest.tokens;
  }

  get body(): readonly BodyItem[] | undefined {
    return this.#parts?.body;
  }

  set body(value: readonly BodyItem[] | undefined) {
    this.#own().body = value;
  }

  get otherwise(): readonly BodyItem[] | undefined {
    return this.#parts?.otherwise;
  }

  set otherwise(value: readonly BodyItem[] | undefined) {
    this.#own().otherwise = value;
  }

  get alternatives(): readonly Statement[] | undefined {
    return this.#parts?.alternatives;
  }

  set alternatives(value: readonly Statement[] | undefined) {
    this.#own().alternatives = value;
  }

  get elseLine(): Statement | undefined {
    return this.#parts?.elseLine;
  }

  set elseLine(value: Statement | undefined) {
    this.#own().elseLine = value;
  }

  get closer(): Statement | undefined {
    return this.#parts?.closer;
  }

  set closer(value: Statement | undefined) {
    this.#own().closer = value;
  }

  get role(): 'check' | 'branch' | undefined {
    return this.#parts?.role;
  }

  set role(value: 'check' | 'branch' | undefined) {
    this.#own().role = value;
  }

  #own(): Parts {
    this.#parts ??= {};
    return this.#parts;
  }
}
