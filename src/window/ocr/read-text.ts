import type { Worker as OcrWorker } from 'tesseract.js';
import type { CropOptions, TextCrop } from './crop.ts';
import { isForeign } from './glyph/agreement.ts';
import { type Measurement, measurementOf } from './glyph/measurement.ts';
import { shippedNetwork } from './glyph/network.ts';
import { readLine, type SeenLine } from './glyph/read-line.ts';
import { readCrop } from './read-crop.ts';
import { inkOf } from './shown-text.ts';

/** Why there is no text: a display or a number that cannot be read for sure, letters that are not known, or nothing that is sure. */
export type NoText = 'display_unsure' | 'number_unsure' | 'alphabet_unknown' | 'text_unsure';

export interface OneReading {
  text: string | null;
  reason?: NoText;
}

/** Of 1, all letters of a number together: what needs no second reader, and what a second one may confirm. */
const SURE = 0.8;
const CONFIRMED = 0.1;
/** What is as likely a number is no text. */
const POSSIBLE = 0.01;
/** Pixels of the image by which the ends of two crops may differ. */
const SAME_END = 2;

/**
 * Text of an element. A number with its unit is read letter by letter, and is given when every letter of it is sure, or when the
 * recognizer of lines confirms it; else it is no reading. Everything else is read by that recognizer.
 */
export async function readText(
  worker: OcrWorker,
  first: TextCrop,
  crop: (options: CropOptions) => TextCrop | undefined,
): Promise<OneReading> {
  const line = lineIn(first);
  const number = numberIn(first, line, crop);
  // A lone ring is a lamp or the sign of a choice as well as a 0.
  if (number && number.all >= SURE && number.text.length > 1) return { text: number.text };
  const text = await readCrop(worker, first, crop);
  if (text !== null)
    for (const one of [number, isLikeNumber(text) ? inBadge(crop) : undefined])
      if (one && isConfirmed(one, text)) return { text: one.text };
  if ((number && number.all >= POSSIBLE) || (text !== null && isLikeNumber(text)))
    return { text: null, reason: 'number_unsure' };
  if (text === null) return { text, reason: 'text_unsure' };
  return line && isForeign(line, text) ? { text: null, reason: 'alphabet_unknown' } : { text };
}

/** A letter that stands apart may have been taken for an icon; a unit is never lost this way. */
function numberIn(
  first: TextCrop,
  line: SeenLine | undefined,
  crop: (options: CropOptions) => TextCrop | undefined,
): Measurement | undefined {
  const own = line && measurementOf(line);
  if (!first.hasIcon) return own;
  const whole = crop({ icons: true });
  if (!whole) return own;
  const withIcon = lineIn(whole);
  const number = withIcon && measurementOf(withIcon);
  return number ?? (Math.abs(endOf(whole) - endOf(first)) <= SAME_END ? own : undefined);
}

function inBadge(crop: (options: CropOptions) => TextCrop | undefined): Measurement | undefined {
  const badge = crop({ badge: true });
  const line = badge && lineIn(badge);
  return line && measurementOf(line);
}

const endOf = ({ left, width }: TextCrop): number => left + width;

const lineIn = ({ picture, lines }: TextCrop): SeenLine | undefined =>
  lines === 1 ? readLine(inkOf(picture), shippedNetwork()) : undefined;

/**
 * Whether the recognizer of lines reads the same number. It confuses signs and units, so that these are sure by themselves, or
 * it reads them too; an l and a 1 are one to it.
 */
export function isConfirmed({ text, all, beside, besideSure }: Measurement, other: string): boolean {
  if (all < CONFIRMED || digitsOf(other) !== digitsOf(text) || besideSure === 0) return false;
  return besideSure >= SURE || (!beside.includes('1') && plain(other) === plain(text));
}

const plain = (text: string): string => text.replace(/\s/g, '').replace(/[−–]/g, '-');

/** Digits and marks. */
const digitsOf = (text: string): string => text.replace(/[^\d.,:]/g, '').replace(/[.,:]+$/, '');

/** What may stand in a number beside its unit: the sign of a product, an exponent. */
const PART_OF_NUMBER = /^(?:x|e[+−-]?\d+)$/;
const LONGEST_UNIT = 6;

/** A number, alone, with a tolerance, or with what may be its unit, which may have a digit: `m3/h`. */
export function isLikeNumber(text: string): boolean {
  if (!/^[^\p{L}\d]{0,3}\d/u.test(text)) return false;
  const words = (text.match(/\p{L}\S*/gu) ?? []).filter((word) => !PART_OF_NUMBER.test(word));
  const [unit = ''] = words;
  return words.length <= 1 && unit.length <= LONGEST_UNIT && text.endsWith(unit);
}
