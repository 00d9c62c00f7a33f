import { CLASSES } from './glyph/classes.ts';
import { type SeenLine, signOf } from './glyph/read-line.ts';

/** The stroke before the slash of a flow or of a speed, behind a number. */
const RATE = /(?<=\d\s*)(?<blank>\s*)(?<stroke>[1lI|])\/(?=(?:min|s|h)(?![\p{L}\d]))/u;
/** Of 1: how likely a stroke is a 1 at least to be one, and at most to be an l. */
const ONE = 0.9;
const NO_ONE = 0.05;

/**
 * A text with the unit of its rate as the letters show it: litres by the minute are no revolutions. Undefined where they do not tell which
 * of the two it is.
 */
export function withSeenRate(text: string, { letters }: SeenLine): string | undefined {
  if (!RATE.test(text)) return text;
  const slash = letters.findLastIndex((letter) => signOf(letter) === '/');
  const one = letters[slash - 1]?.found[CLASSES.indexOf('1')];
  if (one === undefined || (one > NO_ONE && one < ONE)) return undefined;
  if (one <= NO_ONE) return text.replace(RATE, ' l/');
  // A 1 right behind digits is one of them.
  return /\d1\//.test(text) ? undefined : text.replace(RATE, '$<blank>1/');
}
