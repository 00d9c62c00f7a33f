import { canonicalUnit } from '../../rig/units/units.ts';
import type { ComparisonOperator, Condition, Operand, Value } from '../program/operand.ts';
import { posBetween } from '../source/position.ts';
import { parseNumber } from '../values/number.ts';
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

function readComparison(atoms: readonly Atom[], args: Args): Condition | undefined {
  if (atoms.some((atom) => atom.type === 'dots')) return readRange(atoms, args);
  const groups: WordAtom[][] = [[]];
  const operators: (ComparisonOperator | '∈')[] = [];
  for (const atom of atoms) {
    if (atom.type === 'operator') {
      operators.push(atom.operator);
      groups.push([]);
      if (atom.token.kind === 'bracket')
        args.report(
          'SCN301',
          'a bracketed operator is a form of version 1; write it without brackets',
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
  if (operators.length === 1)
    return {
      kind: 'comparison',
      left: readOperand(groups[0]!, args),
      operator: operators[0] as ComparisonOperator,
      right: readOperand(groups[1]!, args),
    };
  if (operators.length === 2) return readChain(groups, operators as ComparisonOperator[], args);
  args.report('SCN124', 'a comparison has at most two operators; join more with AND', args.pos, {
    severity: 'E',
  });
  return undefined;
}

/** `6 <= p <= 8 bar` and `8 >= p >= 6`. */
function readChain(groups: WordAtom[][], operators: ComparisonOperator[], args: Args): Condition | undefined {
  const rising = operators.every((one) => one === '<' || one === '<=');
  const falling = operators.every((one) => one === '>' || one === '>=');
  if (!rising && !falling) {
    args.report('SCN242', 'the two operators of a range point the same way: 6 <= p <= 8', args.pos);
    return undefined;
  }
  const [first, , last] = groups as [WordAtom[], WordAtom[], WordAtom[]];
  const [lowWords, highWords] = rising ? [first, last] : [last, first];
  const [lowOperator, highOperator] = rising
    ? [operators[0]!, operators[1]!]
    : [operators[1]!, operators[0]!];
  const low = readBound(lowWords, args);
  const high = readBound(highWords, args);
  if (!low || !high) return undefined;
  return {
    kind: 'range',
    subject: readOperand(groups[1]!, args),
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
  const unitWord = right[right.indexOf(list) + 1];
  const word = (text: string): WordAtom => ({ type: 'word', text, quoted: true, token: list.token });
  const low = readBound([word(parts[0])], args);
  const high = readBound([word(parts[1])], args);
  if (!low || !high) return undefined;
  let shared = shareUnit(low, high);
  if (unitWord) {
    args.checkUnit(unitWord.text, unitWord.token.pos);
    const unit = canonicalUnit(unitWord.text);
    shared = { low: withUnit(low, unit), high: withUnit(high, unit) };
  }
  return {
    kind: 'range',
    subject: readOperand(groups[0]!, args),
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
  const left = atoms.slice(0, dots).filter((atom): atom is WordAtom => atom.type === 'word');
  let right = atoms.slice(dots + 1).filter((atom): atom is WordAtom => atom.type === 'word');
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
  if (right.length > name.length && name.every((word, i) => word.text === right[i]!.text))
    right = right.slice(name.length);
  const low = readBound(left.slice(left.length - boundLength), args);
  const high = readBound(right, args);
  if (!low || !high) return undefined;
  return {
    kind: 'range',
    subject: readOperand(name, args),
    ...shareUnit(low, high),
    lowInclusive: true,
    highInclusive: true,
  };
}

/** How many of the last words make the lower bound: one, or a number and its unit. */
function lengthOfLastBound(words: readonly WordAtom[]): number {
  const last = words.at(-1);
  const before = words.at(-2);
  if (last && before && parseNumber(before.text) !== undefined && mayBeUnit(last.text)) return 2;
  if (last && before && isOpen(before.text) && looksLikeUnit(last.text) && words.length > 2) return 2;
  return 1;
}

/** A bound: quantity, infinity, variable or a text with `$`. */
export function readBound(words: readonly WordAtom[], args: Args): Value | undefined {
  const [first, second, ...more] = words;
  if (!first) return undefined;
  const quantity = parseQuantity(first.text);
  const unitWord = quantity?.unit === undefined && second && mayBeUnit(second.text) ? second : undefined;
  const extra = unitWord ? more[0] : second;
  if (extra) args.report('SCN124', `"${extra.text}" after the bound is not used`, extra.token.pos);
  const withExtra = (value: Value): Value => {
    if (!unitWord || value.kind === 'infinity' || ('unit' in value && value.unit !== undefined)) return value;
    args.checkUnit(unitWord.text, unitWord.token.pos);
    // A text with `$` is read again when it is filled in: until then everything stays as written.
    return withUnit(value, value.kind === 'template' ? unitWord.text : canonicalUnit(unitWord.text));
  };
  const infinite = /^([-+−]?)\s*(?:∞|inf)(?:\s+\S+)?$/i.exec(first.text);
  if (infinite) return { kind: 'infinity', sign: infinite[1] === '-' || infinite[1] === '−' ? -1 : 1 };
  if (quantity) return withExtra(args.quantity(quantity.value, quantity.unit, first.token.pos));
  if (isOpen(first.text)) return withExtra(openValue(first.text));
  if (/^[+\-−.\d]/.test(first.text)) {
    args.report('SCN125', `"${first.text}" is no number; write for example 6 or 6.5 bar`, first.token.pos);
    return undefined;
  }
  return withExtra({ kind: 'variable', name: first.text });
}

/** `$low bar` in one quoted text: the unit is split off so that it can be checked and shared. */
function openValue(text: string): Value {
  const match = /^(\S+)\s+(\S+)$/.exec(text);
  if (match && looksLikeUnit(match[2]!))
    return { kind: 'template', text: match[1]!, unit: canonicalUnit(match[2]!) };
  return { kind: 'template', text };
}

/** The value with that unit; one that has a unit, or can have none, stays as it is. */
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

/** A bound without unit has that of the other. */
export function shareUnit(low: Value, high: Value): { low: Value; high: Value } {
  const lowUnit = 'unit' in low ? low.unit : undefined;
  const highUnit = 'unit' in high ? high.unit : undefined;
  return {
    low: lowUnit === undefined && highUnit !== undefined ? withUnit(low, highUnit) : low,
    high: highUnit === undefined && lowUnit !== undefined ? withUnit(high, lowUnit) : high,
  };
}

/** One side of a comparison. */
export function readOperand(words: readonly WordAtom[], args: Args): Operand {
  const first = words[0]!;
  const second = words[1];
  const name = words.map((word) => word.text).join(' ');
  if (
    words.length === 1 ||
    (second && looksLikeUnit(second.text) && (parseNumber(first.text) !== undefined || isOpen(first.text)))
  ) {
    const quantity = parseQuantity(first.text);
    if (quantity || isOpen(first.text) || /^[-+−]?(?:∞|inf)$/i.test(first.text))
      return readBound(words, args)!;
  }
  if (isOpen(name)) return { kind: 'template', text: name };
  const pos = words.length === 1 ? first.token.pos : posBetween(first.token.pos, words.at(-1)!.token.pos);
  if (/^[Δ∆]/.test(name))
    return { kind: 'change', subject: { kind: 'unknown', name: name.slice(1).trim() }, pos };
  return { kind: 'subject', subject: { kind: 'unknown', name }, pos };
}
