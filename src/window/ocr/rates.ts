import { CLASSES } from './glyph/classes.ts';
import { type SeenLine, signOf } from './glyph/read-line.ts';
import { signsIn } from './lost-blanks.ts';

/** The stroke before the slash of a flow or of a speed, behind a number. */
const RATE = /(?<=\d\s*)([1lI|])(?=\/(?:min|s|h)(?![\p{L}\d]))/gu;
/** Of 1: how likely a stroke is a 1 at least to be one, and at most to be an l. */
const ONE = 0.9;
const NO_ONE = 0.05;

/**
 * A text with the units of its rates as the letters show them: litres by the minute are no revolutions. Undefined where they do not tell
 * which of the two it is.
 */
export function withSeenRates(text: string, { letters }: SeenLine): string | undefined {
  const slashes = letters.flatMap((letter, i) => (signOf(letter) === '/' ? [i] : []));
  const areAll = letters.length === signsIn(text).length;
  let isUnsure = false;
  const shown = text.replace(RATE, (stroke, _, at: number) => {
    // Where the letters are others, a lone slash is that of the rate.
    const lone = slashes.length === 1 ? (slashes[0] as number) - 1 : -1;
    const place = areAll ? signsIn(text.slice(0, at)).length : lone;
    const one = letters[place]?.found[CLASSES.indexOf('1')];
    if (one === undefined || (one > NO_ONE && one < ONE)) isUnsure = true;
    return one === undefined ? stroke : one >= ONE ? '1' : 'l';
  });
  return isUnsure ? undefined : shown;
}
