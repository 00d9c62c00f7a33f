import type { Dialect } from '../program/program.ts';
import type { Pos } from '../source/position.ts';
import type { Token } from '../source/token.ts';
import type { Definitions } from './definitions.ts';

/** The tree of one file. No text is lost: an unreadable line is an `unknown` node. */
export interface Document {
  readonly type: 'document';
  readonly file: string;
  /** As declared by `VERSION:`; undefined without header (then it counts as 3). */
  readonly declaredVersion: number | undefined;
  readonly version: number;
  readonly dialect: Dialect;
  readonly items: readonly TopItem[];
  /** Files included by this one, in order, each once in the whole tree. */
  readonly includes: readonly Document[];
  /** Names that this file defines. */
  readonly definitions: Definitions;
  readonly pos: Pos;
}

/** A statement at the top is a DEFAULT. */
export type TopItem = Metadata | Include | Block | Section | Comment | Unknown | Statement;
export type BodyItem =
  | Statement
  | Step
  | Naming
  | Attribute
  | Section
  | Comment
  | Include
  | Metadata
  | Unknown;
export type Node = Document | TopItem | BodyItem;

interface NodeBase {
  readonly pos: Pos;
  /** Trailing comment with its `#`. */
  readonly comment?: string;
}

export interface Comment extends NodeBase {
  readonly type: 'comment';
  /** With the `#`. */
  readonly text: string;
}

export interface Metadata extends NodeBase {
  readonly type: 'metadata';
  readonly key: string;
  readonly value: string;
}

export interface Include extends NodeBase {
  readonly type: 'include';
  readonly path: Token | undefined;
}

export interface Unknown extends NodeBase {
  readonly type: 'unknown';
  readonly text: string;
}

/** A part that is accepted but not executed, for example `OUTPUTS:` of the @-form. */
export interface Section extends NodeBase {
  readonly type: 'section';
  readonly name: string;
  readonly lines: readonly { readonly text: string; readonly pos: Pos }[];
}

/** `description: ...` and its like in an @-form goal. */
export interface Attribute extends NodeBase {
  readonly type: 'attribute';
  readonly key: string;
  readonly value: string;
}

export type BlockKind = 'GOAL' | 'CONFIG' | 'MACRO' | 'FUNC' | 'HARDWARE' | 'EVENT' | 'AT';

export interface Block extends NodeBase {
  readonly type: 'block';
  readonly kind: BlockKind;
  /** The word as written, for example `TEST`. */
  readonly keyword: string;
  /** Name in the header, quotes removed; undefined when there is none. */
  readonly headerName: string | undefined;
  /** Where the name stands: `GOAL: x`, `GOAL x:`, an @-form line, or nowhere. */
  readonly style: 'after-colon' | 'before-colon' | 'at' | 'at-goal' | 'implicit' | 'none';
  /** Name as reported: SET NAME wins over the header; @-form goals carry their scenario. */
  readonly name: string;
  readonly items: readonly BodyItem[];
  readonly header: Pos;
}

/** `1. Draw down:` */
export interface Step extends NodeBase {
  readonly type: 'step';
  readonly number: string;
  readonly title: string;
}

/** `SET NAME 'x'` or `NAME 'x'`; never a command. */
export interface Naming extends NodeBase {
  readonly type: 'naming';
  readonly name: string;
}

/** One command line with the lines that belong to it. */
export interface Statement extends NodeBase {
  readonly type: 'statement';
  /** Canonical command of the table, for example `SET`; `CONDITION` for a bracket condition line. */
  readonly command: string;
  /** All tokens, the command word first. */
  readonly tokens: readonly Token[];
  /** The line without indentation and comment. */
  readonly source: string;
  /** Visual indentation, tabs to multiples of 4. */
  readonly indent: number;
  /** Body of a branch, loop or IF_FAIL; undefined for everything else. A prompt has only `otherwise`. */
  readonly body?: readonly BodyItem[] | undefined;
  readonly otherwise?: readonly BodyItem[] | undefined;
  /** `OR IF` lines that belong to this IF. */
  readonly alternatives?: readonly Statement[] | undefined;
  /** The ELSE line before `otherwise`. */
  readonly elseLine?: Statement | undefined;
  /** The line that closed the body, when one was written. */
  readonly closer?: Statement | undefined;
  /** How an IF is meant. */
  readonly role?: 'check' | 'branch' | undefined;
}
