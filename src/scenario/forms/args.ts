import { parseValveWord } from '../../rig/actuators/valve-word.ts';
import { canonicalUnit, findUnit, UNIT_NAMES } from '../../rig/units/units.ts';
import { suggest } from '../diagnostics/suggest.ts';
import type { Value } from '../program/operand.ts';
import { type Pos, posBetween } from '../source/position.ts';
import type { Token } from '../source/token.ts';
import { parseDuration } from '../values/duration.ts';
import { hasReference } from '../values/interpolate.ts';
import { numberFault, shorten } from '../values/number-fault.ts';
import { looksLikeUnit, parseQuantity } from '../values/quantity.ts';
import type { DurationForm } from './form.ts';
import type { Report } from './reporter.ts';

const DURATION_SUFFIX = /^(?:ms|s|m|min|h)$/i;
const PLACEHOLDER = /\$\d/;
/** Maximum words of a fault quoted in its message. */
const SHOWN_WORDS = 10;
/** `bar9`: a number joined to a unit. m2 and m3 are units. */
const UNIT_THEN_NUMBER = /^([^\d]+)(\d[\d.,]*)$/;

/** True for a text known only at run time or when its macro is expanded. */
export const isOpen = (text: string): boolean =>
  text.includes('$') && (hasReference(text) || PLACEHOLDER.test(text));

/** True for a text that is valid where a unit is expected: a unit, a variable or a placeholder. */
export const mayBeUnit = (text: string): boolean =>
  looksLikeUnit(text) || /^\$\{?[\p{L}\p{N}_.]+\}?$/u.test(text);

const unitsLike = new Map<string, string | undefined>();

/** The nearest unit; cached, because a misspelling is often repeated. */
function unitLike(unit: string): string | undefined {
  if (!unitsLike.has(unit) && unitsLike.size < 1000) unitsLike.set(unit, suggest(unit, UNIT_NAMES));
  return unitsLike.get(unit);
}

/** `0 l/min (off)`: an amount and a remark in brackets. */
function remarkOf(text: string): { amount: string; remark: string } | undefined {
  const open = text.endsWith(')') ? text.indexOf('(') : -1;
  return open > 0 ? { amount: text.slice(0, open).trim(), remark: text.slice(open) } : undefined;
}

/** True for a remark that cannot be mistaken for another setpoint: no number, and no `off` after one that moves. */
function isHarmless(remark: string, amount: number): boolean {
  if (/\p{N}/u.test(remark)) return false;
  const state = parseValveWord(remark.slice(1, -1));
  return state === undefined || state === (amount !== 0);
}

const quote = (token: Token, text: string): string =>
  token.kind === 'double' ? `"${text}"` : token.kind === 'single' ? `'${text}'` : `[${text}]`;

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

  /**
   * Reports remaining arguments as SCN124; they stay in the tree.
   * @param severity a warning only where the text can change no limit, setpoint, duration or count
   */
  end(severity: 'E' | 'W' = 'E'): void {
    this.extra(this.rest(), severity);
  }

  /** Reports words that the command cannot use (SCN124). */
  extra(tokens: readonly Token[], severity: 'E' | 'W' = 'E'): void {
    const first = tokens[0];
    if (!first) return;
    const text = shorten(
      tokens
        .slice(0, SHOWN_WORDS)
        .map((token) => token.text)
        .join(' '),
    );
    const remedy = text.startsWith('#') ? 'a comment needs a space after its #' : 'remove it';
    this.report(
      'SCN124',
      severity === 'E'
        ? `"${text}" is not valid in ${this.command} and would be ignored; ${remedy}`
        : `"${text}" is an extra argument of ${this.command} and is not used; remove it, or quote the text`,
      posBetween(first.pos, tokens.at(-1)!.pos),
      { severity },
    );
  }

  /** A tolerated `=` after a target (SCN301). */
  skipEquals(): boolean {
    const token = this.peek();
    if (token?.kind !== 'bare' || token.text !== '=' || this.left < 2) return false;
    this.take();
    this.report('SCN301', 'the = after a target is old syntax; remove it', token.pos);
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
      this.end('W');
      return first.text;
    }
    return this.rest()
      .map((token) => token.text)
      .join(' ');
  }

  /** A value: quantity with its unit, word, or a text with `$`. */
  value(what: string, example: string): { value: Value; token: Token; pos: Pos } | undefined {
    const token = this.need(what, example);
    if (!token || this.badNumber(token.text, token.pos)) return undefined;
    const remarked = remarkOf(token.text);
    const quantity = parseQuantity(remarked?.amount ?? token.text);
    if (quantity) {
      const unit = quantity.unit ?? this.#unit();
      const value = this.quantity(quantity.value, unit, token.pos);
      if (remarked) this.#remark(remarked.remark, quantity.value, token.pos, quote(token, remarked.amount));
      else this.#remarkTokens(quantity.value);
      return { value, token, pos: this.#since(token) };
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

  /** `5 l/min (slow)`: the tokens of a remark behind a setpoint. */
  #remarkTokens(amount: number): void {
    const tokens = this.tokens.slice(this.#next);
    const [first] = tokens;
    const last = tokens.at(-1);
    if (first?.kind !== 'bare' || !first.text.startsWith('(')) return;
    const remark = tokens.map((token) => token.text).join(' ');
    if (!remark.endsWith(')') || !isHarmless(remark, amount)) return;
    this.#next = this.tokens.length;
    this.#remark(remark, amount, posBetween(first.pos, last!.pos), '');
  }

  /** A remark without a contradicting number is ignored (SCN134); any other is extra text. */
  #remark(remark: string, amount: number, pos: Pos, rest: string): void {
    if (isHarmless(remark, amount))
      this.report('SCN134', `the remark "${shorten(remark)}" is not used; write it as a # comment`, pos, {
        fix: { pos, text: rest },
      });
    else
      this.report(
        'SCN124',
        `"${shorten(remark)}" is not valid in ${this.command} and would be ignored; remove it`,
        pos,
      );
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

  /** A quantity with its canonical unit; an unknown unit is reported (SCN127) and kept. */
  quantity(value: number, unit: string | undefined, pos: Pos): Value {
    if (unit === undefined) return { kind: 'quantity', value };
    this.checkUnit(unit, pos);
    return { kind: 'quantity', value, unit: canonicalUnit(unit) };
  }

  /** Reports an ambiguous number (SCN125). @returns true when it did */
  badNumber(text: string, pos: Pos): boolean {
    const fault = numberFault(text);
    if (fault !== undefined) this.report('SCN125', fault, pos);
    return fault !== undefined;
  }

  checkUnit(unit: string, pos: Pos): void {
    if (findUnit(unit) || isOpen(unit)) return;
    const glued = UNIT_THEN_NUMBER.exec(unit);
    if (glued && findUnit(glued[1]!) && glued[2] !== '2' && glued[2] !== '3') {
      this.report('SCN124', `"${glued[2]}" is joined to the unit ${glued[1]}; remove it`, pos);
      return;
    }
    this.report('SCN127', `${unit} is not a known unit; it can only be compared with itself`, pos, {
      suggestion: unitLike(unit),
    });
  }

  /** A duration argument (SCN126 when it is none). */
  duration(what: string, example: string): DurationForm | undefined {
    const token = this.need(what, example);
    if (!token) return undefined;
    let { text } = token;
    let { pos } = token;
    const next = this.peek();
    // `5 sec` is a bad duration, not 5 ms and an extra word.
    const isSuffix =
      next !== undefined &&
      next.kind !== 'bracket' &&
      (isOpen(text) ? DURATION_SUFFIX.test(next.text) : /\p{N}$/u.test(text) && looksLikeUnit(next.text));
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
        numberFault(text) ??
          `"${shorten(text)}" is not a duration; write a number of 0 or more with ms, s, min or h, for example ${example}`,
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
        `"${shorten(text)}" is no ${what}; write a whole number from ${low} to ${high}`,
        token.pos,
      );
    return undefined;
  }
}
