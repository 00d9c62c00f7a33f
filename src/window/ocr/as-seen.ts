import { type SeenLetter, type SeenLine, signOf } from './glyph/read-line.ts';

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
    const least = isWithin ? SURE_WITHIN : SURE;
    if (found && isSame(at, i) && ONE_SHAPE.test(sign) && Math.max(...found) >= least) signs[at] = sign;
  });
  return signs.join('');

  function isLevel({ y0, y1 }: SeenLetter['box']): boolean {
    const { baseline, height } = measure;
    return Math.abs(y1 - baseline) <= LEVEL * height && Math.abs(baseline - height - y0) <= LEVEL * height;
  }
}
