import { CLASSES } from './glyph/classes.ts';
import { type SeenLine, signOf } from './glyph/read-line.ts';
import { signsIn } from './lost-blanks.ts';

/** The stroke before the slash of a flow or of a speed, behind a number. */
const RATE = /(?<=\d\s*)([1lI|])(?=\/(?:min|s|h)(?![\p{L}\d]))/gu;
/** Of 1: how likely a letter is a 1 at least to be one; and for it to be an l, how likely it is a 1 at most and a plain stroke at least. */
const ONE = 0.9;
const NO_ONE = 0.05;
const STROKE = 0.5;
const STROKES = [...'lI|'].map((sign) => CLASSES.indexOf(sign));

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
    const found = letters[place]?.found;
    const one = found?.[CLASSES.indexOf('1')] ?? 0;
    const plain = STROKES.reduce((sum, sign) => sum + (found?.[sign] ?? 0), 0);
    if (one >= ONE) return '1';
    if (one <= NO_ONE && plain >= STROKE) return 'l';
    isUnsure = true;
    return stroke;
  });
  return isUnsure ? undefined : shown;
}
