import { findUnit } from '../../../rig/units/units.ts';

/** The text of a check without its numbers, as a command. */
export interface CommandText {
  /** `bound`: MIN, MAX, RANGE; `change`: IF_DELTA. */
  readonly kind: 'comparison' | 'bound' | 'change';
  /** What is judged, without quotes: sensors, variables, aliases. */
  readonly subjects: readonly string[];
}

const COMPARISONS: ReadonlySet<string> = new Set(['CHECK', 'IF', 'ASSERT_SENSOR']);
const BOUNDS: ReadonlySet<string> = new Set(['MIN', 'MAX', 'RANGE']);
const OPERATOR = /^(?:<=|>=|==|!=|[<>=≤≥≠∈…]|\.\.)$/;
const PIECES = /'[^']*'|"[^"]*"|<=|>=|==|!=|\.\.|[<>=≤≥≠∈…]|(?:(?!\.\.)[^\s'"[\],<>=!≤≥≠∈…])+/g;

/** @returns undefined: it is not wholly the text of a command, so that an author may have written it as a name */
export function readCommandText(text: string): CommandText | undefined {
  const [, command = '', rest = ''] = /^([A-Z_]+) (.*)$/.exec(text) ?? [];
  if (COMPARISONS.has(command)) return comparison(rest.replace(/ (?:ELSE .*|THEN:?)$/i, ''));
  const [subject, ...limits] = pieces(rest);
  if (subject === undefined || OPERATOR.test(subject)) return undefined;
  if (command === 'IF_DELTA') {
    const [window, ...change] = limits;
    const isChange = window !== undefined && /^[#$]/.test(window) && isQuantity(change);
    // Its unit may be a word of its own.
    const isApart = window === '#' && isQuantity([window, change[0] ?? '']) && isQuantity(change.slice(1));
    return isChange || isApart ? { kind: 'change', subjects: [subject] } : undefined;
  }
  if (!BOUNDS.has(command)) return undefined;
  const sides = split(limits[0] === '=' ? limits.slice(1) : limits, (piece) => OPERATOR.test(piece));
  const isBound = sides.length === (command === 'RANGE' ? 2 : 1) && sides.every(isQuantity);
  return isBound ? { kind: 'bound', subjects: [subject] } : undefined;
}

/** `AI01 >= # V`, `# <= AI01 <= # V`, `AI01 # .. # V`, and several of them with AND or OR. */
function comparison(text: string): CommandText | undefined {
  const parts = split(pieces(text), (piece) => /^(?:AND|OR)$/i.test(piece));
  const subjects = parts.map((part) => {
    const [first = '', ...others] = part;
    const isRange = part.includes('..') || part.includes('…') || part.includes('∈');
    // A range has its subject before its low side, without an operator between them.
    if (isRange) {
      const sides = others[0] === '∈' ? others.slice(1) : others;
      const at = sides.findIndex((piece) => OPERATOR.test(piece));
      const both = at < 0 ? listed(sides) : [sides.slice(0, at), sides.slice(at + 1)];
      return both?.every(isQuantity) && !OPERATOR.test(first) ? first : undefined;
    }
    const operands = split(part, (piece) => OPERATOR.test(piece));
    if (operands.length < 2 || operands.length > 3) return undefined;
    const named = operands.filter((operand) => !isQuantity(operand));
    // Of two variables the first one is judged.
    const [judged] = named.length === 0 ? operands.filter(([one = '']) => one.startsWith('$')) : named;
    return named.length <= 1 && judged?.length === 1 ? judged[0] : undefined;
  });
  const known = subjects.filter((one) => one !== undefined);
  return known.length === subjects.length ? { kind: 'comparison', subjects: known } : undefined;
}

/** `[#, #] V`, whose comma and brackets are gone. */
const listed = (sides: readonly string[]): string[][] | undefined =>
  sides.length < 2 ? undefined : [sides.slice(0, 1), sides.slice(1)];

/** A number that was taken out, a variable, a word with a unit. A lone word may be anything. */
function isQuantity(operand: readonly string[]): boolean {
  const [value = '', unit, ...others] = operand;
  if (others.length > 0 || (unit !== undefined && !findUnit(unit))) return false;
  if (/^[-+]?#/.test(value)) {
    const own = value.slice(value.indexOf('#') + 1);
    return own === '' || (unit === undefined && findUnit(own) !== undefined);
  }
  return /^\$|^[-+]?inf$/.test(value) || unit !== undefined;
}

/** Words and operators; what is quoted and no number is one word. */
const pieces = (text: string): string[] =>
  [...text.matchAll(PIECES)].flatMap(([piece]) => {
    if (!/^['"]/.test(piece)) return [piece];
    const inside = piece.slice(1, -1);
    return /#|\.\./.test(inside) || OPERATOR.test(inside) ? pieces(inside) : [inside];
  });

function split(all: readonly string[], isEnd: (piece: string) => boolean): string[][] {
  const parts: string[][] = [[]];
  for (const piece of all)
    if (isEnd(piece)) parts.push([]);
    else parts.at(-1)?.push(piece);
  return parts;
}
