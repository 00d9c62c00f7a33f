import { findUnit } from '../../rig/units/units.ts';
import { findCommand } from '../commands/lookup.ts';
import type { Token } from '../source/token.ts';
import { type TokenFaults, tokenize } from '../source/tokenize.ts';
import { parseDuration } from '../values/duration.ts';
import { parseQuantity } from '../values/quantity.ts';
import { OPERATORS } from './words.ts';

/** Commands that are also likely parameter names: an operator after them makes a condition line. */
const ALSO_NAMES = /^(?:TIMER|MIN|MAX|VAL|RESULT|RANGE|INPUT|OUT)$/i;
/** `p≥6bar` */
const JOINED_CONDITION = /^[^\s<>=!≤≥≠∈]+[≤≥≠∈<>]=?/;

/** Canonical command of a line; `CONDITION` when an operator follows a name that is not a command. */
export function commandOf(tokens: readonly Token[], word: string): string | undefined {
  const first = tokens[0]!;
  const second = tokens[1];
  const spec = first.kind === 'bare' ? findCommand(word) : undefined;
  const operatorNext = second !== undefined && !second.quoted && OPERATORS.has(second.text);
  // With a value it is a variable of that name.
  if (spec?.name === 'SET' && tokens.length === 2 && /^optional$/i.test(second!.text)) return 'OPTIONAL';
  if (spec && !(operatorNext && ALSO_NAMES.test(word))) return spec.name;
  if (first.kind === 'bare') {
    if (/^func:/i.test(word)) return 'FUNC';
    if (/^or$/i.test(word) && second && /^if$/i.test(second.text)) return 'OR IF';
    if (word.startsWith('→') || word.startsWith('->')) return '→';
    if (JOINED_CONDITION.test(word)) return 'CONDITION';
  }
  return operatorNext ? 'CONDITION' : undefined;
}

const NO_FAULTS: TokenFaults = { unclosedQuote: () => {}, unclosedBracket: () => {}, nestedQuotes: () => {} };

/**
 * The part of a title that is a command: all of it, or the text after a colon. Since "Check the mask" is a title, a
 * command must be in capitals with arguments, or have an operator, a quoted text or an amount.
 */
export const commandInTitle = (title: string): string | undefined =>
  title
    .split(':')
    .map((part) => part.trim())
    .find((part, index, { length }) => isCommandText(part, index < length - 1));

/** @param isLabel a colon follows it, as in the title `SET UP:` */
function isCommandText(text: string, isLabel: boolean): boolean {
  const { tokens } = tokenize(text, 0, '', 1, NO_FAULTS);
  const [first, ...rest] = tokens;
  if (!first || commandOf(tokens, first.text) === undefined) return false;
  if (rest.some((token, index) => hasForm(token, rest[index + 1]))) return true;
  return !isLabel && rest.length > 0 && /^\P{Ll}*$/u.test(first.text);
}

/** True for a token found in commands but not in titles. */
const hasForm = ({ kind, text }: Token, next: Token | undefined): boolean =>
  kind !== 'bare' ||
  OPERATORS.has(text) ||
  text.includes('..') ||
  amountUnit(text) !== undefined ||
  (parseQuantity(text) !== undefined && next !== undefined && isUnit(next.text));

const amountUnit = (text: string): string | undefined => {
  const unit = parseQuantity(text)?.unit;
  return unit !== undefined && isUnit(unit) ? unit : undefined;
};

const isUnit = (text: string): boolean =>
  findUnit(text) !== undefined || parseDuration(`1 ${text}`) !== undefined;
