const PLUS = 43;
const MINUS = 45;
const UNICODE_MINUS = 0x2212;
const DOT = 46;
const COMMA = 44;

const isDigit = (code: number) => code >= 48 && code <= 57;

/** A number at the start of a text, and the index after it. */
export interface ScannedNumber {
  readonly value: number;
  readonly end: number;
  /** A comma with exactly three digits after it: `1,000` is 1000 to one person and 1.0 to another. */
  readonly grouped: boolean;
}

/**
 * Scans `[+-−] [digits] [(. ,) digits] [e [+-] digits]` with at least one digit.
 * Undefined when no number starts at `start`. A dot that starts `..` is not part of the number.
 */
export function scanNumber(text: string, start = 0): ScannedNumber | undefined {
  let i = start;
  let negative = false;
  const first = text.charCodeAt(i);
  if (first === PLUS || first === MINUS || first === UNICODE_MINUS) {
    negative = first !== PLUS;
    i++;
  }
  const integerStart = i;
  let whole = 0;
  let code = text.charCodeAt(i);
  while (isDigit(code)) {
    whole = whole * 10 + (code - 48);
    code = text.charCodeAt(++i);
  }
  const integerEnd = i;
  let fractionEnd = i;
  const isComma = code === COMMA;
  if ((code === DOT || code === COMMA) && isDigit(text.charCodeAt(i + 1))) {
    i += 2;
    while (isDigit(text.charCodeAt(i))) i++;
    fractionEnd = i;
  }
  if (integerEnd === integerStart && fractionEnd === integerEnd) return undefined;
  const grouped = isComma && fractionEnd - integerEnd === 4;
  code = text.charCodeAt(i);
  let exponentEnd = i;
  if (code === 101 || code === 69) {
    let j = i + 1;
    const sign = text.charCodeAt(j);
    if (sign === PLUS || sign === MINUS || sign === UNICODE_MINUS) j++;
    if (isDigit(text.charCodeAt(j))) {
      while (isDigit(text.charCodeAt(j))) j++;
      exponentEnd = j;
    }
  }
  if (fractionEnd === integerEnd && exponentEnd === fractionEnd && integerEnd - integerStart < 16)
    return { value: signed(whole, negative), end: integerEnd, grouped };
  const literal = text.slice(integerStart, exponentEnd).replace(',', '.').replace('−', '-');
  const value = Number(literal);
  return { value: signed(value, negative), end: exponentEnd, grouped };
}

/** Quantities have no negative zero. */
const signed = (magnitude: number, negative: boolean): number =>
  negative && magnitude !== 0 ? -magnitude : magnitude;

/** A text that is a number and nothing else; undefined otherwise, also when it overflows or is grouped. */
export function parseNumber(text: string): number | undefined {
  const trimmed = text.trim();
  const scanned = scanNumber(trimmed);
  if (!scanned || scanned.grouped || scanned.end !== trimmed.length) return undefined;
  return Number.isFinite(scanned.value) ? scanned.value : undefined;
}

/** The shortest decimal text that reads back as the same number, without exponent where it can be avoided. */
export function formatNumber(value: number): string {
  if (Object.is(value, -0)) return '0';
  const text = String(value);
  if (!text.includes('e')) return text;
  const plain = value
    .toFixed(Math.abs(value) < 1 ? 20 : 0)
    .replace(/(\.\d*?)0+$/, '$1')
    .replace(/\.$/, '');
  return Number(plain) === value ? plain : text.replace('e+', 'e');
}
