import { canonicalUnit } from '../../rig/units/units.ts';
import type { ComparisonOperator, Condition, Operand, Value } from '../program/operand.ts';
import { posBetween } from '../source/position.ts';
import type { Token } from '../source/token.ts';
import { parseNumber } from '../values/number.ts';
import { shorten, startsLikeNumber } from '../values/number-fault.ts';
import { looksLikeUnit, parseQuantity } from '../values/quantity.ts';
import { type Args, isOpen, mayBeUnit } from './args.ts';
import type { Atom, WordAtom } from './atoms.ts';

/** A condition of comparisons and ranges joined by AND and OR; AND binds tighter. Undefined after a report. */
export function readCondition(atoms: readonly Atom[], args: Args): Condition | undefined {
  const alternatives = splitAt(atoms, 'or').map((part) => {
    const parts = splitAt(part, 'and').map((segment) => readComparison(segment, args));
    if (parts.some((one) => one === undefined)) return undefined;
    return parts.length === 1 ? parts[0] : ({ kind: 'all', parts: parts as Condition[] } as const);
  });
  if (alternatives.some((one) => one === undefined)) return undefined;
  return alternatives.length === 1 ? alternatives[0] : { kind: 'any', parts: alternatives as Condition[] };
}

function splitAt(atoms: readonly Atom[], type: 'and' | 'or'): Atom[][] {
  const parts: Atom[][] = [[]];
  for (const atom of atoms) {
    if (atom.type === type) parts.push([]);
    else parts.at(-1)!.push(atom);
  }
  return parts;
}

/** The words among atoms; a misplaced operator, bar or ELSE is reported, never dropped. */
export function onlyWords(atoms: readonly Atom[], args: Args): WordAtom[] | undefined {
  const unexpected = atoms.find((atom) => atom.type !== 'word');
  if (!unexpected) return atoms as WordAtom[];
  args.report(
    'SCN124',
    `"${shorten(unexpected.token.text)}" is not valid in ${args.command} and would be ignored; remove it`,
    unexpected.token.pos,
  );
  return undefined;
}

const tokensOf = (words: readonly WordAtom[]): Token[] => words.map((word) => word.token);

function readComparison(atoms: readonly Atom[], args: Args): Condition | undefined {
  if (atoms.some((atom) => atom.type === 'dots')) return readRange(atoms, args);
  if (
    !onlyWords(
      atoms.filter((atom) => atom.type !== 'operator'),
      args,
    )
  )
    return undefined;
  const groups: WordAtom[][] = [[]];
  const operators: (ComparisonOperator | '∈')[] = [];
  for (const atom of atoms) {
    if (atom.type === 'operator') {
      operators.push(atom.operator);
      groups.push([]);
      if (atom.token.kind === 'bracket')
        args.report(
          'SCN301',
          'a bracketed operator is version 1 syntax; write it without brackets',
          atom.token.pos,
        );
    } else if (atom.type === 'word') groups.at(-1)!.push(atom);
  }
  if (operators.length === 0) {
    args.missing('a comparison or a range', `${args.command} AI01 <= 8 bar`);
    return undefined;
  }
  if (groups.some((group) => group.length === 0)) {
    args.missing('a value on both sides of the operator', `${args.command} AI01 <= 8 bar`);
    return undefined;
  }
  if (operators.includes('∈')) return readMembership(groups, operators, args);
  if (operators.length === 1) {
    const left = readOperand(groups[0]!, args);
    const right = readOperand(groups[1]!, args);
    const operator = operators[0] as ComparisonOperator;
    if (left?.kind === 'change') warnOfOneSide(groups, operator, right, args);
    return left && right && { kind: 'comparison', left, operator, right };
  }
  if (operators.length === 2) return readChain(groups, operators as ComparisonOperator[], args);
  args.report('SCN124', 'a comparison has at most two operators; join more with AND', args.pos, {
    severity: 'E',
  });
  return undefined;
}

/** A change is signed: any fall is below a limit of 2, which is not what Δ for a magnitude means. */
function warnOfOneSide(
  [left, right]: WordAtom[][],
  operator: ComparisonOperator,
  limit: Operand | undefined,
  args: Args,
): void {
  if (limit?.kind !== 'quantity') return;
  const passes =
    limit.value > 0 && operator.startsWith('<')
      ? 'fall'
      : limit.value < 0 && operator.startsWith('>')
        ? 'rise'
        : undefined;
  if (!passes) return;
  const name = left!.map((word) => word.text).join(' ');
  const size = `${Math.abs(limit.value)}${limit.unit === undefined ? '' : ` ${limit.unit}`}`;
  args.report(
    'SCN246',
    `"${name}" is signed, so any ${passes} passes; limit both sides: CHECK -${size} <= ${name.slice(1).trim()}.delta <= ${size}`,
    right![0]!.token.pos,
  );
}

/** `6 <= p <= 8 bar` and `8 >= p >= 6`. */
function readChain(groups: WordAtom[][], operators: ComparisonOperator[], args: Args): Condition | undefined {
  const rising = operators.every((one) => one === '<' || one === '<=');
  const falling = operators.every((one) => one === '>' || one === '>=');
  if (!rising && !falling) {
    args.report('SCN242', 'the operators of a range must point the same way: 6 <= p <= 8', args.pos);
    return undefined;
  }
  const [first, , last] = groups as [WordAtom[], WordAtom[], WordAtom[]];
  const [lowWords, highWords] = rising ? [first, last] : [last, first];
  const [lowOperator, highOperator] = rising
    ? [operators[0]!, operators[1]!]
    : [operators[1]!, operators[0]!];
  const low = readBound(lowWords, args);
  const subject = readOperand(groups[1]!, args);
  const high = readBound(highWords, args);
  if (!low || !high || !subject) return undefined;
  return {
    kind: 'range',
    subject,
    ...shareUnit(low, high),
    lowInclusive: lowOperator.endsWith('='),
    highInclusive: highOperator.endsWith('='),
  };
}

/** `p ∈ [lo, hi] u` */
function readMembership(
  groups: WordAtom[][],
  operators: readonly string[],
  args: Args,
): Condition | undefined {
  const right = groups[1]!;
  const list = right.find((word) => word.token.kind === 'bracket');
  const parts = list ? splitPair(list.text) : undefined;
  if (operators.length > 1 || !list || !parts) {
    args.report('SCN125', '∈ needs two bounds in brackets, for example AI01 ∈ [-11, -9] mbar', args.pos);
    return undefined;
  }
  const at = right.indexOf(list);
  const [unitWord, ...more] = right.slice(at + 1);
  const isUnit = unitWord !== undefined && mayBeUnit(unitWord.text);
  const extra = [...right.slice(0, at), ...(isUnit || !unitWord ? more : [unitWord, ...more])];
  if (extra.length > 0) {
    args.extra(tokensOf(extra));
    return undefined;
  }
  const word = (text: string): WordAtom => ({ type: 'word', text, quoted: true, token: list.token });
  const low = readBound([word(parts[0])], args);
  const high = readBound([word(parts[1])], args);
  const subject = readOperand(groups[0]!, args);
  if (!low || !high || !subject) return undefined;
  let shared = shareUnit(low, high);
  if (unitWord) {
    args.checkUnit(unitWord.text, unitWord.token.pos);
    const unit = canonicalUnit(unitWord.text);
    shared = { low: withUnit(low, unit), high: withUnit(high, unit) };
  }
  return {
    kind: 'range',
    subject,
    ...shared,
    lowInclusive: true,
    highInclusive: true,
  };
}

function splitPair(text: string): [string, string] | undefined {
  for (const separator of ['..', ';', ', ', ',']) {
    const parts = text.split(separator).map((part) => part.trim());
    if (parts.length === 2 && parts[0] && parts[1]) return [parts[0], parts[1]];
  }
  return undefined;
}

/** `p 6 .. 8 bar`, with words of the name before the first bound, which may repeat after the dots. */
export function readRange(atoms: readonly Atom[], args: Args): Condition | undefined {
  const dots = atoms.findIndex((atom) => atom.type === 'dots');
  const left = onlyWords(withoutMembership(atoms.slice(0, dots), args), args);
  const right = left && onlyWords(atoms.slice(dots + 1), args);
  if (!left || !right) return undefined;
  const example = `${args.command} AI01 6 .. 8 bar`;
  const boundLength = lengthOfLastBound(left);
  if (left.length - boundLength < 1 || right.length === 0) {
    args.missing(
      right.length === 0 ? 'an upper bound after ..' : 'a name and a lower bound before ..',
      example,
    );
    return undefined;
  }
  const name = left.slice(0, left.length - boundLength);
  const after = right;
  const isRepeated = after.length > name.length && name.every((word, i) => word.text === after[i]!.text);
  const low = readBound(left.slice(left.length - boundLength), args);
  const high = readBound(isRepeated ? after.slice(name.length) : after, args);
  const subject = readOperand(name, args);
  if (!low || !high || !subject) return undefined;
  return {
    kind: 'range',
    subject,
    ...shareUnit(low, high),
    lowInclusive: true,
    highInclusive: true,
  };
}

/** `p = 6 .. 8 bar` and `p ∈ 6 .. 8 bar` mean what the range means without the sign (SCN301). */
function withoutMembership(atoms: readonly Atom[], args: Args): readonly Atom[] {
  const sign = atoms.find((atom) => atom.type === 'operator');
  if (sign?.type !== 'operator' || (sign.operator !== '=' && sign.operator !== '∈')) return atoms;
  args.report('SCN301', `the ${sign.token.text} before a range is old syntax; remove it`, sign.token.pos);
  return atoms.filter((atom) => atom !== sign);
}

/** Number of trailing words that form the lower bound: one, or a number and its unit. */
function lengthOfLastBound(words: readonly WordAtom[]): number {
  const last = words.at(-1);
  const before = words.at(-2);
  if (last && before && parseNumber(before.text) !== undefined && mayBeUnit(last.text)) return 2;
  if (last && before && isOpen(before.text) && looksLikeUnit(last.text) && words.length > 2) return 2;
  return 1;
}

const INFINITE = /^([-+−]?)\s*(?:∞|inf)(?:\s+(\S+))?$/i;
/** A valid name for a bound: not starting like a number or a sign, without invisible characters. */
const BOUND_NAME = /^[\p{L}_]\P{C}*$/u;

/** A bound: quantity, infinity, variable or a text with `$`. */
export function readBound(words: readonly WordAtom[], args: Args): Value | undefined {
  const [first, second] = words;
  if (!first) return undefined;
  const { text } = first;
  const { pos } = first.token;
  const quantity = parseQuantity(text);
  const unitWord = quantity?.unit === undefined && second && mayBeUnit(second.text) ? second : undefined;
  args.extra(tokensOf(words.slice(unitWord ? 2 : 1)));
  const unit = unitWord?.text;
  if (unit !== undefined) args.checkUnit(unit, unitWord!.token.pos);
  const infinite = INFINITE.exec(text);
  if (infinite) {
    if (infinite[2] !== undefined) args.checkUnit(infinite[2], pos);
    return { kind: 'infinity', sign: infinite[1] === '-' || infinite[1] === '−' ? -1 : 1 };
  }
  const shared = (value: Value): Value => (unit === undefined ? value : withUnit(value, canonicalUnit(unit)));
  if (quantity) return shared(args.quantity(quantity.value, quantity.unit, pos));
  // A text with `$` is parsed again when it is filled in; until then it stays as written.
  if (isOpen(text)) return unit === undefined ? openValue(text) : withUnit(openValue(text), unit);
  if (args.badNumber(text, pos)) return undefined;
  if (!BOUND_NAME.test(text)) {
    args.report('SCN125', `"${shorten(text)}" is not a number; write for example 6 or 6.5 bar`, pos);
    return undefined;
  }
  return shared({ kind: 'variable', name: text });
}

/** `$low bar` in one quoted text: the unit is split off to be checked and shared. */
function openValue(text: string): Value {
  const match = /^(\S+)\s+(\S+)$/.exec(text);
  if (match && looksLikeUnit(match[2]!))
    return { kind: 'template', text: match[1]!, unit: canonicalUnit(match[2]!) };
  return { kind: 'template', text };
}

/** The value with that unit; unchanged if it has a unit or cannot have one. */
function withUnit(value: Value, unit: string): Value {
  if (value.kind === 'infinity' || value.unit !== undefined) return value;
  switch (value.kind) {
    case 'quantity':
      return { kind: 'quantity', value: value.value, unit };
    case 'variable':
      return { kind: 'variable', name: value.name, unit };
    default:
      return { kind: value.kind, text: value.text, unit };
  }
}

/** A bound without a unit takes that of the other. */
export function shareUnit(low: Value, high: Value): { low: Value; high: Value } {
  const lowUnit = 'unit' in low ? low.unit : undefined;
  const highUnit = 'unit' in high ? high.unit : undefined;
  return {
    low: lowUnit === undefined && highUnit !== undefined ? withUnit(low, highUnit) : low,
    high: highUnit === undefined && lowUnit !== undefined ? withUnit(high, lowUnit) : high,
  };
}

/** One side of a comparison. Text that starts like a number is a bound, never a name. */
export function readOperand(words: readonly WordAtom[], args: Args): Operand | undefined {
  const first = words[0]!;
  const second = words[1];
  const isBound = startsLikeNumber(first.text) || INFINITE.test(first.text);
  if (isBound || (isOpen(first.text) && (!second || looksLikeUnit(second.text))))
    return readBound(words, args);
  const name = words.map((word) => word.text).join(' ');
  if (isOpen(name)) return { kind: 'template', text: name };
  const pos = words.length === 1 ? first.token.pos : posBetween(first.token.pos, words.at(-1)!.token.pos);
  if (/^[Δ∆]/.test(name))
    return { kind: 'change', subject: { kind: 'unknown', name: name.slice(1).trim() }, pos };
  return { kind: 'subject', subject: { kind: 'unknown', name }, pos };
}
