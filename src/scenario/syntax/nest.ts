import type { Diagnostics } from '../diagnostics/collector.ts';
import type { Dialect } from '../program/program.ts';
import { matchClosers } from './closers.ts';
import {
  type FlatItem,
  hasInlineElse,
  isElseMessage,
  isPrompt,
  isRangeIf,
  isRepeatStop,
  type OpenStatement,
  secondWord,
  statementOf,
} from './flat-item.ts';
import type { BodyItem } from './node.ts';

/** Maximum nesting depth, far below what the call stack allows. */
const MAX_DEPTH = 100;

/** Nests the lines of one block: bodies of IF, IF_FAIL, LOOP and REPEAT. */
export function nest(items: readonly FlatItem[], dialect: Dialect, diagnostics: Diagnostics): BodyItem[] {
  return new Nester(items, dialect, diagnostics).build(0, items.length);
}

class Nester {
  readonly #items: readonly FlatItem[];
  readonly #dialect: Dialect;
  readonly #diagnostics: Diagnostics;
  readonly #closers: Map<number, number>;
  #depth = 0;
  #isTooDeep = false;

  constructor(items: readonly FlatItem[], dialect: Dialect, diagnostics: Diagnostics) {
    this.#items = items;
    this.#dialect = dialect;
    this.#diagnostics = diagnostics;
    this.#closers = matchClosers(items);
  }

  build(start: number, end: number): BodyItem[] {
    const out: BodyItem[] = [];
    let i = start;
    while (i < end) i = this.#within(i, end, out);
    return out;
  }

  /** One item, unless nested too deep: then the rest of its body is kept as text and reported once (SCN004). */
  #within(i: number, end: number, out: BodyItem[]): number {
    if (this.#depth > MAX_DEPTH) {
      const rest = this.#items.slice(i, end).map(({ node }) => node);
      if (!this.#isTooDeep)
        this.#diagnostics.add(
          'SCN004',
          `line ${rest[0]!.pos.line} is nested in more than ${MAX_DEPTH} blocks; move the inner ones into a MACRO, a FUNC or separate goals`,
          rest[0]!.pos,
        );
      this.#isTooDeep = true;
      for (const node of rest)
        out.push(node.type === 'statement' ? { type: 'unknown', text: node.source, pos: node.pos } : node);
      return end;
    }
    this.#depth++;
    try {
      return this.#one(i, end, out);
    } finally {
      this.#depth--;
    }
  }

  /** Nests the item at `i`, with all that belongs to it; returns the index after it. */
  #one(i: number, end: number, out: BodyItem[]): number {
    const statement = statementOf(this.#items[i]);
    if (!statement) {
      out.push(this.#items[i]!.node);
      return i + 1;
    }
    out.push(statement);
    if (isPrompt(statement)) return this.#prompt(statement, i, end);
    switch (statement.command) {
      case 'IF':
        return this.#if(statement, i, end, out);
      case 'LOOP':
      case 'IF_FAIL':
        return this.#closed(statement, i, end);
      case 'REPEAT':
        return isRepeatStop(statement) ? this.#stray(statement, i) : this.#repeat(statement, i, end);
      case 'ENDIF':
      case 'END':
      case 'ENDLOOP':
        return this.#stray(statement, i);
      case 'OR IF':
        this.#diagnostics.add(
          'SCN116',
          'OR IF has no IF before it; write IF, or move the line below its IF',
          statement.pos,
        );
        return i + 1;
      case 'ELSE':
        if (!isElseMessage(statement) && secondWord(statement) !== 'GOAL')
          this.#diagnostics.add(
            'SCN116',
            'ELSE has no open IF; indent the branch below its IF or remove ELSE',
            statement.pos,
          );
        return i + 1;
      default:
        return i + 1;
    }
  }

  #if(statement: OpenStatement, i: number, end: number, out: BodyItem[]): number {
    let j = i + 1;
    const alternatives: OpenStatement[] = [];
    for (let k = this.#next(j, end); k < end; k = this.#next(k + 1, end)) {
      const line = statementOf(this.#items[k]);
      if (line?.command !== 'OR IF') break;
      alternatives.push(line);
      for (let c = j; c < k; c++) out.splice(out.length - 1, 0, this.#items[c]!.node);
      j = k + 1;
    }
    if (alternatives.length > 0) statement.alternatives = alternatives;
    const next = this.#next(j, end);
    const line = next < end ? statementOf(this.#items[next]) : undefined;
    const isText =
      line !== undefined &&
      (line.command === 'CORRECT' || (this.#dialect === 'flat' && line.command === 'ERROR'));
    const deeper = next < end && !isText && this.#items[next]!.indent > statement.indent;
    if (isRangeIf(statement)) {
      if (deeper && line?.command !== 'ERROR' && line?.command !== 'ELSE')
        this.#ambiguous(statement, 'the lines below a range check do not depend on it and always run');
      statement.role = 'check';
      return j;
    }
    const last = alternatives.at(-1) ?? statement;
    if (hasInlineElse(last) || (line && isElseMessage(line))) {
      statement.role = 'check';
      return j;
    }
    const closer = this.#closers.get(i);
    if (closer !== undefined && closer < end) return this.#closedIf(statement, j, closer);
    if (deeper) return this.#indentedIf(statement, j, end);
    if (isText && this.#hasOtherDeeperLines(next, end, statement.indent))
      this.#ambiguous(statement, 'the texts below make it a check; the other indented lines always run');
    if (
      isText ||
      this.#dialect === 'flat' ||
      !line ||
      line.command === 'ELSE' ||
      line.indent !== statement.indent
    ) {
      statement.role = 'check';
      return j;
    }
    return this.#nextLineIf(statement, j, next, end, out);
  }

  /** A prompt and the ELSE line below it, with its branch. */
  #prompt(statement: OpenStatement, i: number, end: number): number {
    const next = this.#next(i + 1, end);
    const line = next < end ? statementOf(this.#items[next]) : undefined;
    if (line?.command !== 'ELSE' || line.indent < statement.indent || hasInlineElse(statement)) return i + 1;
    statement.elseLine = line;
    if (line.tokens.length > 1) return next + 1;
    const closer = this.#closers.get(i);
    const isClosed = closer !== undefined && closer < end;
    const branchEnd = isClosed ? closer : this.#deeperEnd(next + 1, end, statement.indent);
    statement.otherwise = this.build(next + 1, branchEnd);
    if (isClosed) statement.closer = statementOf(this.#items[closer])!;
    else if (branchEnd === next + 1)
      this.#diagnostics.add(
        'SCN116',
        'this ELSE has no branch; indent the branch below it, or remove ELSE',
        line.pos,
      );
    return isClosed ? closer + 1 : branchEnd;
  }

  /** IF ... ENDIF. */
  #closedIf(statement: OpenStatement, start: number, closer: number): number {
    const branch = this.#findElse(start, closer, statement.indent);
    statement.role = 'branch';
    statement.body = this.build(start, branch ?? closer);
    if (branch !== undefined) {
      statement.elseLine = statementOf(this.#items[branch])!;
      statement.otherwise = this.build(branch + 1, closer);
    }
    statement.closer = statementOf(this.#items[closer])!;
    const first = this.#items[start];
    const mixed =
      first !== undefined &&
      first.indent > statement.indent &&
      this.#deeperEnd(start, branch ?? closer, statement.indent) < (branch ?? closer);
    if (mixed)
      this.#ambiguous(statement, 'lines before its ENDIF are not indented; they all depend on this IF');
    return closer + 1;
  }

  /** IF with deeper lines and no ENDIF. */
  #indentedIf(statement: OpenStatement, start: number, end: number): number {
    const bodyEnd = this.#deeperEnd(start, end, statement.indent);
    statement.role = 'branch';
    statement.body = this.build(start, bodyEnd);
    const branch = statementOf(this.#items[bodyEnd]);
    if (bodyEnd >= end || branch?.command !== 'ELSE' || branch.indent !== statement.indent) return bodyEnd;
    const branchEnd = this.#deeperEnd(bodyEnd + 1, end, statement.indent);
    statement.elseLine = branch;
    statement.otherwise = this.build(bodyEnd + 1, branchEnd);
    return branchEnd;
  }

  /** Legacy: only the next line at the same indentation depends on the IF. */
  #nextLineIf(statement: OpenStatement, start: number, next: number, end: number, out: BodyItem[]): number {
    for (let k = start; k < next; k++) out.splice(out.length - 1, 0, this.#items[k]!.node);
    const body: BodyItem[] = [];
    const line = statementOf(this.#items[next]);
    // An ELSE after the next line belongs to the IF, not to a prompt on that line.
    let after = this.#within(next, line && isPrompt(line) ? next + 1 : end, body);
    statement.role = 'branch';
    statement.body = body;
    this.#ambiguous(
      statement,
      'only the next line depends on it; indent the dependent lines and close with ENDIF',
    );
    const branchAt = this.#next(after, end);
    const branch = branchAt < end ? statementOf(this.#items[branchAt]) : undefined;
    if (branch?.command !== 'ELSE' || branch.indent !== statement.indent) return after;
    statement.elseLine = branch;
    const otherwise: BodyItem[] = [];
    after = branchAt + 1;
    if (branch.tokens.length === 1) {
      const first = this.#next(after, end);
      const deep = first < end && this.#items[first]!.indent > statement.indent;
      if (deep) {
        after = this.#deeperEnd(first, end, statement.indent);
        otherwise.push(...this.build(first, after));
      } else if (first < end) after = this.#within(first, end, otherwise);
    }
    statement.otherwise = otherwise;
    return after;
  }

  /** LOOP and IF_FAIL need their closing line. */
  #closed(statement: OpenStatement, i: number, end: number): number {
    const closer = this.#closers.get(i);
    if (closer !== undefined && closer < end) {
      statement.body = this.build(i + 1, closer);
      statement.closer = statementOf(this.#items[closer])!;
      return closer + 1;
    }
    const word = statement.command === 'LOOP' ? 'ENDLOOP' : 'END';
    this.#diagnostics.add(
      'SCN116',
      `${statement.command} is not closed; write ${word} after its last line`,
      statement.pos,
    );
    const bodyEnd = this.#deeperEnd(i + 1, end, statement.indent);
    statement.body = this.build(i + 1, bodyEnd);
    return bodyEnd;
  }

  #repeat(statement: OpenStatement, i: number, end: number): number {
    const closer = this.#closers.get(i);
    if (closer !== undefined && closer < end) {
      statement.body = this.build(i + 1, closer);
      statement.closer = statementOf(this.#items[closer])!;
      return closer + 1;
    }
    const bodyEnd = this.#deeperEnd(i + 1, end, statement.indent);
    if (this.#next(i + 1, bodyEnd) >= bodyEnd)
      this.#diagnostics.add(
        'SCN116',
        'REPEAT has no body; indent the repeated lines below it or write REPEAT STOP after them',
        statement.pos,
      );
    statement.body = this.build(i + 1, bodyEnd);
    return bodyEnd;
  }

  #stray(statement: OpenStatement, i: number): number {
    const word = statement.tokens.map((token) => token.text).join(' ');
    this.#diagnostics.add('SCN117', `${word} closes nothing; remove it`, statement.pos);
    return i + 1;
  }

  #ambiguous(statement: OpenStatement, message: string): void {
    this.#diagnostics.add('SCN132', message, statement.pos);
  }

  /** Index of the ELSE of an IF between its body and its closer, nested blocks skipped. */
  #findElse(start: number, closer: number, indent: number): number | undefined {
    for (let k = start; k < closer; k++) {
      const statement = statementOf(this.#items[k]);
      if (!statement) continue;
      const nestedCloser = this.#closers.get(k);
      if (nestedCloser !== undefined) k = nestedCloser;
      else if (statement.command === 'ELSE' && statement.indent <= indent) return k;
    }
    return undefined;
  }

  /** Lines below an IF, deeper than it, that are not texts of it. */
  #hasOtherDeeperLines(start: number, end: number, indent: number): boolean {
    const deeperEnd = this.#deeperEnd(start, end, indent);
    for (let k = start; k < deeperEnd; k++) {
      const line = statementOf(this.#items[k]);
      if (line && line.command !== 'CORRECT' && line.command !== 'ERROR' && line.command !== 'ELSE')
        return true;
    }
    return false;
  }

  /** Index of the next line that is not a comment, or `end`. */
  #next(start: number, end: number): number {
    let k = start;
    while (k < end && this.#items[k]!.node.type === 'comment') k++;
    return k;
  }

  /** Index of the first line from `start` that is not deeper than `indent`; comments before it stay outside. */
  #deeperEnd(start: number, end: number, indent: number): number {
    let last = start;
    for (let k = start; k < end; k++) {
      const item = this.#items[k]!;
      if (item.node.type === 'comment') continue;
      if (item.indent <= indent) return last;
      last = k + 1;
    }
    return last;
  }
}
