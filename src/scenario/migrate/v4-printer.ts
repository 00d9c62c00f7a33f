import type { Registry } from '../../rig/registry/registry.ts';
import { targetOfPath } from '../commands/arrow.ts';
import { looseCall } from '../commands/call.ts';
import { printForm } from '../format/print-form.ts';
import { printCondition, printDuration, printName, printValue, quote } from '../format/words.ts';
import type { FormOf } from '../forms/form.ts';
import { parseForm } from '../forms/parse-form.ts';
import type { Pos } from '../source/position.ts';
import type { Block, BodyItem, Document, Section, Statement, TopItem } from '../syntax/node.ts';
import { METADATA_KEYS } from '../syntax/words.ts';

/** A line of the new text, and the text of the old one that it stands for. */
export interface PrintedLine {
  readonly text: string;
  readonly origin: Pos;
}

/** What has no form in version 4. */
export interface Unsupported {
  /** In the text that was to be migrated. */
  readonly pos: Pos;
  readonly reason: string;
}

export interface PrintedV4 {
  readonly lines: readonly PrintedLine[];
  readonly unsupported: readonly Unsupported[];
}

export interface PrintOptions {
  readonly registry: Registry;
  /** Names of all macros, those of included files too. */
  readonly macros: ReadonlySet<string>;
  /** A command uses the variable ITER, which REPEAT does not set. */
  readonly usesIter: boolean;
}

/** Writes a tree without errors in the forms of version 4. Whether the meaning is kept is for the caller to compare. */
export function printV4(document: Document, options: PrintOptions): PrintedV4 {
  const printer = new V4Printer(options);
  printer.print(document);
  return printer;
}

type Converted =
  | readonly string[]
  /** Opens a body that ends with `closer`. */
  | { readonly open: string; readonly closer: string }
  | { readonly unsupported: string };

class V4Printer implements PrintedV4 {
  readonly lines: PrintedLine[] = [];
  readonly unsupported: Unsupported[] = [];
  readonly #options: PrintOptions;
  /** GOAL and CONFIG blocks so far. */
  #runnable = 0;

  constructor(options: PrintOptions) {
    this.#options = options;
  }

  print({ items, pos }: Document): void {
    this.#line(0, 'VERSION: 4', { ...pos, endLine: pos.line, endCol: pos.col });
    const isNamed = items.some((item) => item.type === 'metadata' && item.key === 'SCENARIO');
    const at = items.find((item): item is Block => item.type === 'block' && item.kind === 'AT');
    if (at && !isNamed) this.#line(0, `SCENARIO: ${at.name}`, at.header);
    const known = new Set(items.flatMap((item) => (item.type === 'metadata' ? [item.key] : [])));
    // Metadata stands before the first block.
    for (const item of at?.items ?? [])
      if (isOwnMetadata(item, known)) this.#line(0, `${item.key}: ${item.value}`, item.pos);
    for (const item of items) this.#top(item, known);
  }

  #top(item: TopItem, known: ReadonlySet<string>): void {
    switch (item.type) {
      case 'metadata':
        if (item.key !== 'VERSION') this.#line(0, `${item.key}: ${metadataValue(item.value)}`, item.pos);
        if (item.comment) this.#line(0, item.comment, item.pos);
        return;
      case 'block':
        this.#block(item, known);
        return;
      case 'include':
        this.#line(0, `INCLUDE ${quote(item.path?.text ?? '')}`, item.pos, item.comment);
        return;
      case 'section':
        this.#section(item, 0);
        return;
      case 'statement':
        this.#body([item], 0);
        return;
      default:
        this.#line(0, item.text, item.pos);
    }
  }

  #block(block: Block, known: ReadonlySet<string>): void {
    if (block.kind === 'AT') {
      this.#line(0, `# ${block.keyword}`, block.header);
      for (const item of block.items) if (!isOwnMetadata(item, known)) this.#body([item], 0);
      return;
    }
    if (block.kind === 'GOAL' || block.kind === 'CONFIG') this.#runnable++;
    if (block.kind === 'GOAL') {
      // Version 4 asks for a name; this is the one that reports show without it.
      const name = block.name || `goal ${this.#runnable}`;
      this.#line(0, 'GOAL:', block.header, block.comment);
      this.#line(1, `SET NAME ${quote(name)}`, block.header);
      this.#body(
        block.items.filter((item) => item.type !== 'naming'),
        1,
      );
      return;
    }
    const name = block.headerName === undefined ? '' : ` ${printName(block.headerName)}`;
    this.#line(0, `${block.kind}${name}:`, block.header, block.comment);
    this.#body(block.items, 1);
  }

  #body(items: readonly BodyItem[], level: number): void {
    for (const item of items) {
      switch (item.type) {
        case 'statement':
          this.#statement(item, level);
          break;
        case 'step':
          this.#line(level, `# ${item.number}. ${item.title}`, item.pos);
          if (item.comment) this.#line(level, item.comment, item.pos);
          break;
        case 'naming':
          this.#line(level, `SET NAME ${quote(item.name)}`, item.pos, item.comment);
          break;
        case 'attribute':
          this.#line(level, `# ${item.key}: ${item.value}`, item.pos);
          break;
        case 'section':
          this.#section(item, level);
          break;
        case 'include':
          this.#line(level, `INCLUDE ${quote(item.path?.text ?? '')}`, item.pos, item.comment);
          break;
        case 'metadata':
          this.#line(level, `${item.key}: ${item.value}`, item.pos, item.comment);
          break;
        default:
          // A comment at the margin introduces what stands below it.
          this.#line(item.pos.col === 1 ? 0 : level, item.text, item.pos);
      }
    }
  }

  /** Sections are kept and never executed; version 4 has none. */
  #section({ name, lines, pos }: Section, level: number): void {
    const isInline = lines[0]?.pos.line === pos.line;
    this.#line(level, `# ${name}:${isInline ? ` ${lines[0]?.text}` : ''}`, pos);
    for (const line of isInline ? lines.slice(1) : lines)
      this.#line(level, `#   ${line.text.replace(/^#\s*/, '')}`, line.pos);
  }

  #statement(statement: Statement, level: number): void {
    const { pos, comment, alternatives = [], body, elseLine, otherwise } = statement;
    const converted = this.#convert(statement);
    if ('unsupported' in converted) {
      this.unsupported.push({ pos, reason: converted.unsupported });
      return;
    }
    const opens = 'open' in converted;
    const first = opens ? [converted.open] : converted;
    first.forEach((text, index) => {
      this.#line(level, text, pos, index === 0 ? comment : undefined);
    });
    for (const alternative of alternatives) this.#statement(alternative, level);
    if (body) this.#body(body, level + 1);
    if (elseLine) this.#statement(elseLine, level);
    if (otherwise) this.#body(otherwise, level + 1);
    const closer = opens ? converted.closer : body || otherwise ? 'ENDIF' : undefined;
    if (closer !== undefined)
      this.#line(level, closer, statement.closer?.pos ?? pos, statement.closer?.comment);
  }

  #convert(statement: Statement): Converted {
    const { command, tokens, pos, source } = statement;
    let isPlain = true;
    const form = parseForm(command, tokens, pos, (code) => {
      if (code === 'SCN124') isPlain = false;
    });
    // Text that a command does not use, and what only a macro argument completes, stays as it was written.
    if (!form || !isPlain) return [source];
    switch (form.form) {
      case 'arrow':
        return this.#arrow(form);
      case 'condition':
        return conditionLines(form);
      case 'task-list':
        return this.#taskList(form);
      case 'loop':
        return this.#loop(form);
      case 'repeat':
        return { open: printForm(form, command, source), closer: 'REPEAT STOP' };
      case 'if-fail':
        return { open: printForm(form, command, source), closer: 'END' };
      case 'calc':
        return [printForm(form, 'FUNC', source)];
      case 'declare':
        return [`SET ${printName(form.name)} ${printValue(form.value)}`];
      case 'call':
        return [form.loose ? this.#looseCall(form, source) : printForm(form, command, source)];
      default:
        return [printForm(form, command, source)];
    }
  }

  #arrow({ action, object, value, text, timeout, nameToken }: FormOf<'arrow'>): Converted {
    switch (action) {
      case 'set':
        return value
          ? [`SET ${printName(targetOfPath(object, this.#options.registry))} ${printValue(value)}`]
          : { unsupported: `${object} has no value` };
      case 'read':
        return [`GET ${printName(object)}`];
      case 'save':
        return [`SAVE ${printName(object)}`];
      case 'confirm':
        if (nameToken)
          return {
            unsupported:
              'a confirmation whose answer is saved has no form in version 4: PROMPT ... AS asks for a value',
          };
        return [`PROMPT ${quote(text)}${timeout === undefined ? '' : ` TIMEOUT ${printDuration(timeout)}`}`];
      case 'wait':
        return [`WAIT ${text}`];
      default:
        return { unsupported: `${object} is not an action that can run, in no version` };
    }
  }

  #taskList({ actions }: FormOf<'task-list'>): Converted {
    const lines: string[] = [];
    for (const { verb, word, object } of actions) {
      if (verb === 'other') return { unsupported: `the verb "${word}" of TASK: cannot run, in no version` };
      if (verb === 'on' || verb === 'off') lines.push(`SET ${printName(object)} ${verb}`);
      else lines.push(`${verb === 'measure' ? 'GET' : 'SAVE'} ${printName(object)}`);
    }
    return lines;
  }

  #loop({ times, condition }: FormOf<'loop'>): Converted {
    if (condition) return { unsupported: 'LOOP WHILE has no form in version 4' };
    if (this.#options.usesIter)
      return { unsupported: 'the scenario uses ITER, which LOOP sets and REPEAT of version 4 does not' };
    return {
      open: `REPEAT ${typeof times === 'object' ? times.template : times}:`,
      closer: 'REPEAT STOP',
    };
  }

  #looseCall(form: FormOf<'call'>, source: string): string {
    const { macro, args } = looseCall(form, (name) => this.#options.macros.has(name));
    if (!this.#options.macros.has(macro)) return source;
    return printForm({ ...form, macro, args, loose: false }, 'CALL', source);
  }

  #line(level: number, text: string, origin: Pos, comment?: string): void {
    const last = this.lines.at(-1)?.origin.line ?? origin.line;
    if (level === 0 && origin.line > last + 1) this.lines.push({ text: '', origin });
    const indented = '  '.repeat(level) + text;
    this.lines.push({ text: comment === undefined ? indented : `${indented}  ${comment}`, origin });
  }
}

/** `p ∈ [lo, hi] u | ERROR 't'` is CHECK with its text on the line below. */
function conditionLines({ condition, action, text }: FormOf<'condition'>): Converted {
  if (action === 'WAIT')
    return { unsupported: '| WAIT, waiting until a condition holds, has no form in version 4' };
  const check = `CHECK ${printCondition(condition, 'chain')}`;
  return text === undefined ? [check] : [check, `${action === 'PASS' ? 'CORRECT' : 'ERROR'} ${quote(text)}`];
}

/** DESCRIPTION and its like below an @ header, unless the head of the file has them. */
const isOwnMetadata = (
  item: BodyItem,
  known: ReadonlySet<string>,
): item is Extract<BodyItem, { type: 'attribute' }> =>
  item.type === 'attribute' && METADATA_KEYS.has(item.key) && !known.has(item.key);

const metadataValue = (value: string): string =>
  /^['"]|['"]$|(?:^|\s)#(?:\s|$)/.test(value) ? quote(value) : value;
