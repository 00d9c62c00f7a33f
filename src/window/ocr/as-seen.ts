import { type SeenLetter, type SeenLine, signOf } from './glyph/read-line.ts';
import { UNITS } from './glyph/units.ts';

/** Small and large letters of one shape: the recognizer of lines tells them apart by the word, the network by their height. */
const ONE_SHAPE = /[ckopsuvwxz]/i;
/** Of 1, for a letter to be believed. */
const SURE = 0.9;
/** The same for a capital between two small letters. */
const SURE_WITHIN = 0.995;
/** Of the letters, those that both readers have in the same places. */
const ALIKE = 0.5;
const STOPS = /[.,]{3}$/;
/** Between letters no word has this one. */
const I_WITHIN = /(?<=\p{L})I(?=\p{Ll})/u;
/** Of those, a small k is as high as a capital. */
const TOLD_BY_HEIGHT = /[copsuvwxz]/i;
const SMALL = /[aegmnqry]/;
const TALL = /[bdhlABDEFGHJLMNQRTY]/;
/**
 * How high a letter rises above the feet of its line, in steps from the small letters there to the tall ones: below the first it is small, from
 * the second a capital. The same by small letters alone, and by tall ones alone.
 */
const BETWEEN = [0.35, 0.65] as const;
const BY_SMALL = [1.12, 1.22] as const;
const BY_TALL = [0.82, 0.93] as const;
/** Of the height of tall letters: where small ones are hardly lower they tell nothing. */
const LEAST_STEP = 0.12;

/** By the height of the digits: how far a stroke that is an I ends from their tops and feet; most bars reach beyond both. */
const LEVEL = 0.07;

/**
 * A text as its letters show it: capitals and an I by their height where both readers have as many letters, and three full stops at its end
 * where the recognizer of lines has fewer.
 */
export function asSeen(text: string, { letters, measure }: SeenLine): string {
  const own = letters.map(signOf);
  const shown = STOPS.test(own.join('')) ? text.replace(/(?<!\.)\.{1,2}$/, '...') : text;
  const signs = [...shown];
  const places = [...signs.keys()].filter((i) => signs[i] !== ' ');
  if (places.length !== own.length) return shown;
  const isSame = (at: number, i: number): boolean => signs[at]?.toLowerCase() === own[i]?.toLowerCase();
  if (places.filter(isSame).length < ALIKE * places.length) return shown;
  places.forEach((at, i) => {
    const [sign, found] = [own[i] as string, letters[i]?.found];
    const isWithin = /\p{Lu}/u.test(sign) && [-1, 1].every((by) => /\p{Ll}/u.test(signs[at + by] ?? ''));
    if (signs[at] === '|' && letters[i] && isLevel(letters[i].box)) signs[at] = 'I';
    const isWrong =
      sign === 'l' && signs[at] === 'I' && I_WITHIN.test(signs.slice(Math.max(0, at - 1), at + 2).join(''));
    if (isWrong && found && Math.max(...found) >= SURE) signs[at] = 'l';
    if (!found || !isSame(at, i) || !ONE_SHAPE.test(sign) || Math.max(...found) < SURE) return;
    const isCapital = isAsHighAsCapitals(i);
    // The box of a letter that touches another one is as high as both.
    if (isCapital === false || (isCapital && standsFree(i)))
      signs[at] = isCapital ? sign.toUpperCase() : sign.toLowerCase();
    else if (Math.max(...found) >= (isWithin ? SURE_WITHIN : SURE)) signs[at] = sign;
  });
  return signs.join('');

  function standsFree(at: number): boolean {
    return [letters[at - 1], at + 1 < letters.length ? letters[at] : undefined].every(
      (letter) => (letter?.apart ?? 1) > 0,
    );
  }

  /** By the other letters of the line; undefined where they do not tell. */
  function isAsHighAsCapitals(at: number): boolean | undefined {
    if (!TOLD_BY_HEIGHT.test(own[at] as string)) return undefined;
    const rise = (letter: SeenLetter) => measure.baseline - letter.box.y0;
    const risesOf = (kind: RegExp) =>
      letters
        .filter(({ found }, i) => i !== at && kind.test(own[i] as string) && Math.max(...found) >= SURE)
        .map(rise)
        .sort((a, b) => a - b);
    const [low, high] = [SMALL, TALL].map((kind) => {
      const rises = risesOf(kind);
      return rises[rises.length >> 1];
    });
    const here = rise(letters[at] as SeenLetter);
    const told = (value: number, [least, most]: readonly [number, number]) =>
      value < least ? false : value >= most ? true : undefined;
    if (low !== undefined && high !== undefined)
      return high - low >= LEAST_STEP * high ? told((here - low) / (high - low), BETWEEN) : undefined;
    if (low !== undefined) return told(here / low, BY_SMALL);
    return high === undefined ? undefined : told(here / high, BY_TALL);
  }

  function isLevel({ y0, y1 }: SeenLetter['box']): boolean {
    const { baseline, height } = measure;
    return Math.abs(y1 - baseline) <= LEVEL * height && Math.abs(baseline - height - y0) <= LEVEL * height;
  }
}

/** A word that begins with a zero and is no number with its unit: `0f`. */
const ZERO_WORD = /(?<!\S)0(\p{Ll}+)(?!\S)/gu;

/** A text with an o for a zero that begins a word, where the letter is surely one. */
export function withOForZero(text: string, { letters }: SeenLine): string {
  if (letters.length !== text.replace(/\s/g, '').length) return text;
  return text.replace(ZERO_WORD, (word, rest: string, at: number) => {
    const letter = letters[text.slice(0, at).replace(/\s/g, '').length] as SeenLetter;
    const isO = /o/i.test(signOf(letter)) && Math.max(...letter.found) >= SURE;
    return isO && !UNITS.includes(rest) ? `${signOf(letter)}${rest}` : word;
  });
}
