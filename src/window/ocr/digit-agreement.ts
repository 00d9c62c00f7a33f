import { type SeenLine, signOf } from './glyph/read-line.ts';

/** A digit that nobody else has read is one when it is so sure. */
const SURE = 0.8;

/**
 * Whether two readers have the same digits and marks in a text that is no number alone, such as `P = 4.8`: a digit more or another
 * one is another value, however well the words around it agree. An l is a 1, and an o a 0, where that makes them agree.
 */
export function digitsAgree(line: SeenLine, text: string): boolean {
  const own = line.letters.map(signOf).join('');
  if (!/\d/.test(text)) return !line.letters.some((letter) => isSureDigit(letter.found, signOf(letter)));
  return digitsIn(own) === digitsIn(text) || digitsIn(oneShape(own)) === digitsIn(oneShape(text));
}

const isSureDigit = (found: Float32Array, sign: string): boolean =>
  /[2-9]/.test(sign) && Math.max(...found) >= SURE;

/** With the marks between them, and a sign that is never a dash. */
const digitsIn = (text: string): string => (text.match(/[±+]?\d(?:[.,:]*\d)*/g) ?? []).join('');

const oneShape = (text: string): string => text.replace(/[lI|]/g, '1').replace(/[Oo]/g, '0');
