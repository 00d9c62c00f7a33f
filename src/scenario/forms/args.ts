import { canonicalUnit, findUnit, UNIT_NAMES } from '../../rig/units/units.ts';
import { suggest } from '../diagnostics/suggest.ts';
import type { Value } from '../program/operand.ts';
import { type Pos, posBetween } from '../source/position.ts';
import type { Token } from '../source/token.ts';
import { parseDuration } from '../values/duration.ts';
import { hasReference } from '../values/interpolate.ts';
import { looksLikeUnit, parseQuantity } from '../values/quantity.ts';
import type { DurationForm } from './form.ts';
import type { Report } from './reporter.ts';

const DURATION_SUFFIX = /^(?:ms|s|m|min|h)$/i;
const PLACEHOLDER = /\$\d/;

/** True for a text that is only known when it runs or when its macro is expanded. */
export const isOpen = (text: string): boolean =>
  text.includes('$') && (hasReference(text) || PLACEHOLDER.test(text));

/** True for a text that may stand where a unit is expected: a unit, or one variable or placeholder. */
export const mayBeUnit = (text: string): boolean =>
  looksLikeUnit(text) || /^\$\{?[\p{L}\p{N}_.]+\}?$/u.test(text);

/** The arguments of one command, read from left to right. */
export class Args {
  readonly tokens: readonly Token[];
  /** The whole command. */
  readonly pos: Pos;
  readonly command: string;
  readonly report: Report;
  #next: number;

  constructor(command: string, tokens: readonly Token[], pos: Pos, report: Report, skip = 1) {
    this.command = command;
    this.tokens = tokens;
    this.pos = pos;
    this.report = report;
    this.#next = skip;
  }

  get left(): number {
    return this.tokens.length - this.#next;
  }

  peek(ahead = 0): Token | undefined {
    return this.tokens[this.#next + ahead];
  }

  take(): Token | undefined {
    const token = this.tokens[this.#next];
    if (token) this.#next++;
    return token;
  }

  /** All tokens not yet read; they count as read then. */
  rest(): readonly Token[] {
    const rest = this.tokens.slice(this.#next);
    this.#next = this.tokens.length;
    return rest;
  }

  /** The next token, or SCN123 with what is missing and an example. */
  need(what: string, example: string): Token | undefined {
    const token = this.take();
    if (!token) this.missing(what, example);
    return token;
  }

  missing(what: string, example: string): void {
    this.report('SCN123', `${this.command} needs ${what}, for example ${example}`, {
      ...this.pos,
      col: this.pos.endCol,
      line: this.pos.endLine,
    });
  }

  /** Reports what is left as SCN124; it is kept in the tree. */
  end(): void {
    const first = this.peek();
    if (!first) return;
    const last = this.tokens.at(-1)!;
    const text = this.rest()
      .map((token) => token.text)
      .join(' ');
    this.report(
      'SCN124',
      `"${text}" is more than ${this.command} takes and is not used; remove it or quote the text`,
      posBetween(first.pos, last.pos),
    );
  }

  /** A tolerated `=` after a target (SCN301). */
  skipEquals(): boolean {
    const token = this.peek();
    if (token?.kind !== 'bare' || token.text !== '=' || this.left < 2) return false;
    this.take();
    this.report('SCN301', 'the = after a target is an old form; remove it', token.pos);
    return true;
  }

  /** A text argument: one quoted token, or all bare words up to the end of the line. */
  text(what: string, example: string): string | undefined {
    const first = this.peek();
    if (!first) {
      this.missing(what, example);
      return undefined;
    }
    if (first.kind !== 'bare') {
      this.take();
      this.end();
      return first.text;
    }
    return this.rest()
      .map((token) => token.text)
      .join(' ');
  }

  /** A value: quantity with its unit, word, or a text with `$`. */
  value(what: string, example: string): { value: Value; token: Token; pos: Pos } | undefined {
    const token = this.need(what, example);
    if (!token) return undefined;
    const quantity = parseQuantity(token.text);
    if (quantity) {
      const unit = quantity.unit ?? this.#unit();
      return { value: this.quantity(quantity.value, unit, token.pos), token, pos: this.#since(token) };
    }
    if (isOpen(token.text)) {
      const unit = this.#unit();
      return {
        value: { kind: 'template', text: token.text, ...(unit === undefined ? {} : { unit }) },
        token,
        pos: this.#since(token),
      };
    }
    return { value: { kind: 'text', text: token.text }, token, pos: token.pos };
  }

  /** From a token to the one read last. */
  #since(token: Token): Pos {
    return posBetween(token.pos, this.tokens[this.#next - 1]!.pos);
  }

  #unit(): string | undefined {
    const next = this.peek();
    if (!next || next.kind === 'bracket' || !mayBeUnit(next.text)) return undefined;
    this.take();
    return next.text;
  }

  /** A quantity with its unit in canonical spelling; an unknown unit is reported (SCN127) and kept. */
  quantity(value: number, unit: string | undefined, pos: Pos): Value {
    if (unit === undefined) return { kind: 'quantity', value };
    this.checkUnit(unit, pos);
    return { kind: 'quantity', value, unit: canonicalUnit(unit) };
  }

  checkUnit(unit: string, pos: Pos): void {
    if (findUnit(unit) || isOpen(unit)) return;
    this.report('SCN127', `${unit} is no unit this language knows; it is comparable only with itself`, pos, {
      suggestion: suggest(unit, UNIT_NAMES),
    });
  }

  /** A duration argument (SCN126 when it is none). */
  duration(what: string, example: string): DurationForm | undefined {
    const token = this.need(what, example);
    if (!token) return undefined;
    let { text } = token;
    let { pos } = token;
    const next = this.peek();
    // `5 sec` is a bad duration, not 5 ms and a word too many.
    const isSuffix =
      next !== undefined &&
      next.kind !== 'bracket' &&
      (isOpen(text) ? DURATION_SUFFIX.test(next.text) : /\d$/.test(text) && looksLikeUnit(next.text));
    if (next && isSuffix) {
      this.take();
      text = `${text} ${next.text}`;
      pos = posBetween(pos, next.pos);
    }
    if (isOpen(text)) return { template: text };
    const ms = parseDuration(text);
    if (ms === undefined)
      this.report(
        'SCN126',
        `"${text}" is no duration; write a number of 0 or more with ms, s, min or h, for example ${example}`,
        pos,
      );
    return ms;
  }

  /** A whole number in limits (SCN125 when it is none). */
  integer(what: string, example: string, low: number, high: number): number | undefined {
    const token = this.need(what, example);
    if (!token) return undefined;
    const text = token.text.replace(/:$/, '');
    const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (value >= low && value <= high) return value;
    if (!isOpen(text))
      this.report(
        'SCN125',
        `"${text}" is no ${what}; write a whole number from ${low} to ${high}`,
        token.pos,
      );
    return undefined;
  }
}
