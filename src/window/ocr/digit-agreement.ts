import { isGas } from './gases.ts';
import { NO_LETTER } from './glyph/classes.ts';
import { type SeenLine, signOf } from './glyph/read-line.ts';
import { signsIn } from './lost-blanks.ts';

/** A digit that nobody else has read is one when it is so sure. */
const SURE = 0.8;
const LEAST_LETTERS = 4;

/**
 * Whether two readers have the same digits and marks in a text that is no number alone, such as `P = 4.8`: a digit more or another
 * one is another value, however well the words around it agree. An l is a 1, and a 0 of the letters an o, where that makes them agree; but
 * an O is no 0 because the recognizer of lines takes it for one: O2.
 */
export function digitsAgree(line: SeenLine, text: string): boolean {
  const own = wordsOf(line);
  if (hasOForZero(line, text)) return false;
  if (!/\d/.test(text)) {
    // A shape that is most likely no letter may be an icon in a short text; in a longer one it is two letters that touch.
    const isShort = line.letters.length < LEAST_LETTERS;
    return !line.letters.some((letter) =>
      isSureDigit(isShort ? letter.found : letter.found.subarray(0, NO_LETTER), signOf(letter)),
    );
  }
  if (signedIn(own) !== signedIn(text)) return false;
  if (digitsIn(own) === digitsIn(text)) return true;
  return naughtsIn(text) <= naughtsIn(own) && digitsIn(oneShape(own)) === digitsIn(oneShape(text));
}

const isSureDigit = (found: Float32Array, sign: string): boolean =>
  /[2-9]/.test(sign) && Math.max(...found) >= SURE;

/** An O beside digits, and two behind a capital: of a gas, or a zero of a code. */
const O_OF_CODE = /(?<=[\d.,])[Oo]|[Oo](?=[.,]?\d)|(?<=^\p{Lu})O(?=O$)|(?<=^\p{Lu}O)O$/gu;
/** Of 1; how likely it is a zero for the other reader, for it to be one: in a code, and in a gas. */
const [ZERO, ZERO_IN_GAS] = [0.75, 0.9];

/** Whether an O of a code is a zero for the other reader: P0.1 is no PO.1. */
function hasOForZero({ letters }: SeenLine, text: string): boolean {
  if (letters.length !== signsIn(text).length) return false;
  let from = 0;
  return text.split(/\s+/).some((word) => {
    const first = from;
    from += signsIn(word).length;
    const least = isGas(word) ? ZERO_IN_GAS : ZERO;
    return [...word.matchAll(O_OF_CODE)].some(({ index }) => {
      const letter = letters[first + index];
      return letter !== undefined && signOf(letter) === '0' && Math.max(...letter.found) >= least;
    });
  });
}

/** By the height of the digits: a wider gap parts two words. */
const BLANK = 0.27;

/** The letters with a blank before each mark that begins a word: in type of one width the one that ends a word is as far from it, but no nearer to the next. */
const wordsOf = ({ letters, measure }: SeenLine): string =>
  letters
    .map((letter, i) => {
      const [sign, before, after] = [signOf(letter), letters[i - 1], letters[i + 1]];
      if (!before || !after || !/[.,]/.test(sign) || /\d/.test(signOf(before))) return sign;
      const [own, next] = [letter.box.x0 - before.box.x1, after.box.x0 - letter.box.x1];
      return own > BLANK * measure.height && own > next ? ` ${sign}` : sign;
    })
    .join('');

/** With the marks between them, also one that begins a word, and a sign that is never a dash. */
const digitsIn = (text: string): string =>
  (text.match(/(?:(?<=^|[\s−–-])[.,]|[±+][.,]?)?\d(?:[.,:]*\d)*/g) ?? []).join('');

/** Strokes right before digits, each with the place of its digit among all of them: a minus is lost by no reader. */
const signedIn = (text: string): string => {
  const places: number[] = [];
  const digits = oneShape(text.replace(/\s/g, '')).replace(/[^\d−–—_-]/g, (sign) =>
    /[.,]/.test(sign) ? '' : sign,
  );
  let count = 0;
  for (const [i, sign] of [...digits].entries()) {
    if (!/\d/.test(sign)) continue;
    if (i > 0 && /[−–—_-]/.test(digits[i - 1] as string)) places.push(count);
    count++;
  }
  return places.join();
};

const naughtsIn = (text: string): number => text.split('0').length - 1;

const oneShape = (text: string): string => text.replace(/[lI|]/g, '1').replace(/[Oo]/g, '0');
