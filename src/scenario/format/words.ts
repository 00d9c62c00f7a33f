import type { DurationForm } from '../forms/form.ts';
import type { ComparisonOperator, Condition, Operand, Value } from '../program/operand.ts';
import { formatDuration } from '../values/duration.ts';
import { formatNumber, parseNumber } from '../values/number.ts';

const SIMPLE = /^[A-Za-z0-9_.-]+$/;
const RESERVED = /^(?:AND|OR|ELSE|THEN|inf|[-.]*)$/i;

/** A quoted text: single quotes, or double quotes when it contains only single ones. */
export function quote(text: string): string {
  const escaped = text.replaceAll('\\', '\\\\');
  if (!text.includes("'")) return `'${escaped}'`;
  if (!text.includes('"')) return `"${escaped}"`;
  return `'${escaped.replaceAll("'", "\\'")}'`;
}

/** A bare name where possible, else quoted. Numbers and keywords are quoted to stay names. */
export function printName(name: string): string {
  const isBare =
    SIMPLE.test(name) && !RESERVED.test(name) && !name.includes('..') && parseNumber(name) === undefined;
  return isBare ? name : quote(name);
}

/** An argument that is not a name: bare when it is one simple word or a number. */
export const printWord = (text: string): string =>
  (SIMPLE.test(text) && !text.includes('..')) || /^\$\{?[A-Za-z0-9_.]+\}?$/.test(text) ? text : quote(text);

const withUnit = (text: string, unit: string | undefined): string => {
  if (unit === undefined) return text;
  // A unit that reads as a keyword stays within the quotes of its number.
  return RESERVED.test(unit) ? quote(`${text} ${unit}`) : `${text} ${unit}`;
};

/** A value with its unit: `5 l/min`, `-inf`, `$low bar`, `on`. */
export function printValue(value: Value): string {
  switch (value.kind) {
    case 'quantity':
      return withUnit(formatNumber(value.value), value.unit);
    case 'infinity':
      return value.sign < 0 ? '-inf' : 'inf';
    case 'variable':
      return withUnit(printName(value.name), value.unit);
    case 'template':
      return withUnit(printWord(value.text), value.unit);
    case 'text':
      return withUnit(printWord(value.text), value.unit);
  }
}

export const printDuration = (duration: DurationForm): string =>
  typeof duration === 'number' ? formatDuration(duration) : printWord(duration.template);

/** Two bounds: a shared unit is written once, at the end. */
function printBounds(low: Value, high: Value): [string, string] {
  const lowUnit = 'unit' in low ? low.unit : undefined;
  const highUnit = 'unit' in high ? high.unit : undefined;
  if (lowUnit === undefined || lowUnit !== highUnit) return [printValue(low), printValue(high)];
  const { unit: _, ...bare } = low as Extract<Value, { kind: 'quantity' }>;
  return [printValue(bare as Value), printValue(high)];
}

function printOperand(operand: Operand): string {
  if (operand.kind === 'subject') return printName(operand.subject.name);
  if (operand.kind === 'change') {
    const { name } = operand.subject;
    return SIMPLE.test(name) ? `Δ${name}` : quote(`Δ${name}`);
  }
  return printValue(operand);
}

/** `[lo, hi] unit`: inside the brackets there are no quotes. */
function printList(low: Value, high: Value): string {
  const plain = (value: Value): string => {
    if (value.kind === 'quantity') return formatNumber(value.value);
    if (value.kind === 'infinity') return value.sign < 0 ? '-inf' : 'inf';
    return value.kind === 'variable' ? value.name : value.text;
  };
  const unitOf = (value: Value) => ('unit' in value ? value.unit : undefined);
  const lowUnit = low.kind === 'infinity' ? unitOf(high) : unitOf(low);
  const highUnit = high.kind === 'infinity' ? unitOf(low) : unitOf(high);
  if (lowUnit === highUnit)
    return `[${plain(low)}, ${plain(high)}]${lowUnit === undefined ? '' : ` ${lowUnit}`}`;
  return `[${withUnit(plain(low), unitOf(low))}, ${withUnit(plain(high), unitOf(high))}]`;
}

/** `..` for IF ranges and RANGE, a chain for CHECK, `∈` for condition lines. */
export type RangeStyle = 'dots' | 'chain' | 'member';

const lessThan = (inclusive: boolean): ComparisonOperator => (inclusive ? '<=' : '<');

export function printCondition(condition: Condition, style: RangeStyle): string {
  if (condition.kind === 'all')
    return condition.parts.map((part) => printCondition(part, style)).join(' AND ');
  if (condition.kind === 'any')
    return condition.parts.map((part) => printCondition(part, style)).join(' OR ');
  if (condition.kind === 'comparison')
    return `${printOperand(condition.left)} ${condition.operator} ${printOperand(condition.right)}`;
  const subject = printOperand(condition.subject);
  const [low, high] = printBounds(condition.low, condition.high);
  // ∈ includes its bounds: a range that excludes one is written as a chain.
  const { low: lowest, high: highest, lowInclusive, highInclusive } = condition;
  if (style === 'member' && lowInclusive && highInclusive)
    return `${subject} ∈ ${printList(lowest, highest)}`;
  if (style === 'dots') return `${subject} ${low} .. ${high}`;
  return `${low} ${lessThan(condition.lowInclusive)} ${subject} ${lessThan(condition.highInclusive)} ${high}`;
}

/** The range of a RANGE command. */
export const printRange = (low: Value, high: Value): string => printBounds(low, high).join(' .. ');
