import type { Worker as OcrWorker } from 'tesseract.js';
import type { Pixels } from '../image/pixels.ts';
import { asSeen, withOForZero } from './as-seen.ts';
import type { CropOptions, TextCrop } from './crop.ts';
import { inkOf } from './crop-ink.ts';
import { digitsAgree } from './digit-agreement.ts';
import { withErasedBars } from './erased-bar.ts';
import { isGas, withGases } from './gases.ts';
import { isForeign } from './glyph/agreement.ts';
import { type Measurement, measurementOf, SIGNS_OF_NUMBERS } from './glyph/measurement.ts';
import { shippedNetwork } from './glyph/network.ts';
import { readLine, type SeenLine, signOf } from './glyph/read-line.ts';
import { UNITS } from './glyph/units.ts';
import { lacksNumber } from './left-out.ts';
import { isLeftOut, isOddlySpelt, isPart, isSeen, isUnitLeftOut, lettersAgree } from './letter-agreement.ts';
import { withLostBlanks } from './lost-blanks.ts';
import { withSeenRates } from './rates.ts';
import { readCrop } from './read-crop.ts';
import type { SegmentReading } from './seven-segments.ts';
import { type UnreadInk, unreadInk } from './unread-ink.ts';

/**
 * Why there is no text: a display or a number that cannot be read for sure, more lines than one text has, numbers in several of them or a
 * value beside them, letters that are not known, or nothing that is sure.
 */
export type NoText =
  | 'display_unsure'
  | 'number_unsure'
  | 'several_lines'
  | 'alphabet_unknown'
  | 'text_unsure';

export interface OneReading {
  text: string | null;
  reason?: NoText;
  /** Ink at the ends of a text with digits that is no part of it: unless it is another element's, the text may lack a sign or a unit. */
  beside?: UnreadInk[];
}

/** Of 1, all letters of a number together: what needs no second reader, and what a second one may confirm. */
const SURE = 0.8;
const CONFIRMED = 0.1;
/** Each digit and mark, and its sign and unit together. */
const LEAST_CONFIRMED = 0.6;
const SURE_BESIDE = 0.7;
/** The same where a letter of the unit is a 1: litres by the minute are no revolutions. */
const SURE_ONE = 0.9;
/** Sign and unit together, when the second reader has others. */
const SURE_DESPITE = 0.95;
/** What is as likely a number is no text. */
const POSSIBLE = 0.01;
/** Columns of the image, one at either side of the ink among them: in fewer no digit but a 1 can be drawn, and the network takes a dot for an 8. */
const NARROWEST_DIGIT = 5;
/** Pixels of the image by which the ends of two crops may differ. */
const SAME_END = 2;

/** A line of letters, and the number that it is. */
interface SeenNumber {
  crop: TextCrop;
  line: SeenLine;
  number: Measurement;
}

/**
 * Text of an element. A number with its unit is read letter by letter, and is given when every letter of it is sure, or when the
 * recognizer of lines confirms it; else it is no reading. Everything else is read by that recognizer. Nothing with digits is given
 * when ink between its letters was left out.
 *
 * @param mayBeDisplay then a number is given only when both readers have it
 */
export async function readText(
  worker: OcrWorker,
  image: Pixels,
  first: TextCrop,
  crop: (options: CropOptions) => TextCrop | undefined,
  mayBeDisplay = false,
): Promise<OneReading> {
  const line = lineIn(first);
  const seen = numberIn(first, line, crop);
  const given = (text: string, own: TextCrop, ownLine: SeenLine, reason: NoText): OneReading => {
    const unread = unreadInk(image, own, ownLine).filter(
      ({ isFaint }) => isFaint || reason === 'number_unsure',
    );
    if (unread.some(({ isInside }) => isInside) || leavesOutLetter(ownLine, own, crop))
      return { text: null, reason };
    return unread.length > 0 ? { text, beside: unread } : { text };
  };
  // A lone ring is a lamp or the sign of a choice as well as a 0, and small inches look like degrees.
  const needsSecondReader =
    seen &&
    (mayBeDisplay ||
      mayBeWord(seen.number.text) ||
      seen.number.text.length === 1 ||
      RING.test(seen.number.text) ||
      isGas(seen.number.text.replaceAll('0', 'O')) ||
      seen.number.isBlankUnsure);
  if (seen && !needsSecondReader && isSure(seen.number))
    return given(seen.number.text, seen.crop, seen.line, 'number_unsure');
  const guess = await readCrop(
    worker,
    first,
    crop,
    (guess) => line !== undefined && !first.hasIcon && isSeen(line, guess),
  );
  const named = guess !== null && line ? withGases(guess, line) : guess;
  if (named === undefined) return { text: null, reason: 'number_unsure' };
  const text = named !== null && line ? withOForZero(named, line) : named;
  if (text !== null)
    for (const one of [seen, isLikeNumber(text) ? seenIn(crop({ badge: true })) : undefined])
      if (
        one &&
        !mayBeWord(one.number.text) &&
        isConfirmed(one.number, text) &&
        (!RING.test(one.number.text) || RING.test(text)) &&
        !(line && isPart(line, one.number.text))
      )
        return given(one.number.text, one.crop, one.line, 'number_unsure');
  if (text !== null && seen && isItsWord(text, seen.number.text)) return { text };
  if (text === NO_TEMPERATURE && seen?.number.text === text && !seen.number.isBlankUnsure)
    return { text: 'OK' };
  if ((seen && seen.number.all >= POSSIBLE) || (text !== null && isLikeNumber(text)))
    return { text: null, reason: 'number_unsure' };
  if (text === null) return { text, reason: 'text_unsure' };
  if (!line) return { text };
  if (isForeign(line, text)) return { text: null, reason: 'alphabet_unknown' };
  const measured = measuredIn(text);
  if (measured !== undefined && !mayBeMeasured(line, measured, text))
    return { text: null, reason: 'number_unsure' };
  if (!digitsAgree(line, text)) return { text: null, reason: 'number_unsure' };
  const rated = withSeenRates(text, line);
  if (rated === undefined) return { text: null, reason: 'number_unsure' };
  const compared = withErasedBars(rated, image, first, line);
  if (compared === undefined) return { text: null, reason: 'text_unsure' };
  const parted = withLostBlanks(line, compared);
  const shown = asSeen(parted, line);
  const hasBarForI = / \| /.test(parted) && !/ \| /.test(shown);
  if (
    !lettersAgree(line, parted) ||
    isOddlySpelt(shown, line) ||
    hasBarForI ||
    leavesOutLetter(line, first, crop)
  )
    return { text: null, reason: 'text_unsure' };
  if (lacksNumber(first, line, parted)) return { text: null, reason: 'number_unsure' };
  return /\d/.test(text) ? given(shown, first, line, 'text_unsure') : { text: shown };
}

/** Whether letters of a line were taken for an icon at one of its ends. */
function leavesOutLetter(
  { letters }: SeenLine,
  first: TextCrop,
  crop: (options: CropOptions) => TextCrop | undefined,
): boolean {
  const whole = first.hasIcon ? crop({ icons: true }) : undefined;
  const all = whole && lineIn(whole);
  if (!all || all.letters.length <= letters.length) return false;
  const count = all.letters.length - letters.length;
  const isBehind = endOf(whole) - endOf(first) > SAME_END;
  if (isBehind && isUnitLeftOut(all, letters.length)) return true;
  return isLeftOut(all, isBehind ? letters.length : 0, count);
}

/** Whether a number needs no second reader. */
export const isSure = ({ all, beside, besideSure }: Measurement): boolean =>
  all >= SURE && (!beside.includes('1') || besideSure >= SURE_ONE);

/** A letter that stands apart may have been taken for an icon; a unit is never lost this way. */
function numberIn(
  first: TextCrop,
  line: SeenLine | undefined,
  crop: (options: CropOptions) => TextCrop | undefined,
): SeenNumber | undefined {
  const own = seenIn(first, line);
  if (!first.hasIcon) return own;
  const whole = crop({ icons: true });
  return whole
    ? (seenIn(whole) ?? (Math.abs(endOf(whole) - endOf(first)) <= SAME_END ? own : undefined))
    : own;
}

function seenIn(crop: TextCrop | undefined, first = crop && lineIn(crop)): SeenNumber | undefined {
  let [line, number] = [first, first && measurementOf(first)];
  // An l and a slash that touch look like a U, which no number has.
  if (crop && first && !number && mayBeNumber(first)) {
    line = readLine(inkOf(crop.picture), shippedNetwork(), SIGNS_OF_NUMBERS);
    number = line && measurementOf(line);
  }
  if (!line || !crop || !number || (crop.width < NARROWEST_DIGIT && number.text !== '1')) return undefined;
  return { crop, line, number };
}

const MOST_LETTERS = 32;

/** Whether a line begins with a digit, or with a sign and one. */
const mayBeNumber = ({ letters }: SeenLine): boolean =>
  letters.length <= MOST_LETTERS && letters.slice(0, 2).some((letter) => /\d/.test(signOf(letter)));

/**
 * Whether the letters of a crop may well be another number than what its strokes look like on a display: they are then those of a text. The
 * letters of digits with gaps between their segments have to be sure.
 */
export function isOtherNumber(
  crop: TextCrop | undefined,
  { digits, isParted }: Pick<SegmentReading, 'digits' | 'isParted'>,
): boolean {
  if (digits === undefined) return false;
  const number = seenIn(crop)?.number;
  const least = isParted ? SURE : CONFIRMED;
  if (number === undefined || number.all < least) return false;
  // Behind a blank stands a unit. Type without gaps is no display: its letters are letters.
  const shown = isParted && !/\s/.test(number.text) ? asDigits : plain;
  return !shown(number.text).startsWith(shown(digits));
}

/** Letters that a display shows as it does a digit. */
const LIKE_DIGITS: Readonly<Record<string, string>> = {
  O: '0',
  D: '0',
  I: '1',
  l: '1',
  Z: '2',
  S: '5',
  s: '5',
  B: '8',
  g: '9',
};

const asDigits = (text: string): string =>
  plain(text).replace(/[ODIlZSsBg]/g, (sign) => LIKE_DIGITS[sign] as string);

/**
 * Whether what has strokes as a display has is more likely small type that breaks up like them: its letters are a number, with the mark that
 * a display may lose.
 */
export function looksLikeType(crop: TextCrop | undefined): boolean {
  const number = seenIn(crop)?.number;
  return number !== undefined && number.all >= SURE && /\d[.,:]\d/.test(number.text);
}

/** Zero kelvin is not written without a blank; a screen that shows these letters says OK. */
const NO_TEMPERATURE = '0K';
/** A zero right before capitals is as likely the letter O: OK, ON. */
const mayBeWord = (number: string): boolean => /^0\p{Lu}+$/u.test(number);

/** The word that a number may be, as the recognizer of lines has it. */
const isItsWord = (text: string, number: string): boolean =>
  mayBeWord(number) && /^\p{Lu}+$/u.test(text) && text.replace(/^O/, '0') === number;

const endOf = ({ left, width }: TextCrop): number => left + width;

const lineIn = ({ picture, lines }: TextCrop): SeenLine | undefined =>
  lines === 1 ? readLine(inkOf(picture), shippedNetwork()) : undefined;

/**
 * Whether the recognizer of lines reads the same number. It confuses signs and units, an l and a 1 most of all, so that these are sure by
 * themselves, or it reads them too.
 */
export function isConfirmed(
  { text, leastDigit, all, beside, besideSure, unitSure, isBlankUnsure }: Measurement,
  other: string,
): boolean {
  // The recognizer of lines loses blanks far more often than it finds one that is not there.
  if (isBlankUnsure && other.replace(/[−–]/g, '-') !== text) return false;
  if (leastDigit < LEAST_CONFIRMED || all < CONFIRMED || besideSure === 0) return false;
  if (
    digitsOf(text) !== digitsOf(other) ||
    (!isParted(text) && isParted(other)) ||
    (besideSure < SURE_DESPITE && isContrary(text, other))
  )
    return false;
  return beside.includes('1')
    ? besideSure >= SURE_ONE
    : besideSure >= SURE_BESIDE ||
        plain(other) === plain(text) ||
        (besideSure >= SURE_BESIDE * unitSure && hasUnit(other, beside));
}

/**
 * Whether a text ends with the same unit behind a digit, and has a sign only where the number has one; a unit with a stroke that both
 * readers confuse alike confirms nothing.
 *
 * @param beside sign and unit of the number
 */
function hasUnit(text: string, beside: string): boolean {
  const unit = beside.replace(/^[-+±]+/, '');
  if (unit === '' || /[1lI|]/.test(unit)) return false;
  const signs = plain(text);
  const number = unit === beside ? /^[\d.,:]*\d$/ : /^[-+±]?[\d.,:]*\d$/;
  return signs.endsWith(unit) && number.test(signs.slice(0, -unit.length));
}

/** With a blank between two digits: two numbers. */
const isParted = (text: string): boolean => /\d\s+\d/.test(text);

const plain = (text: string): string => text.replace(/\s/g, '').replace(/[−–]/g, '-');

/** Whether another sign, or another unit that there is, was read. */
function isContrary(text: string, other: string): boolean {
  const [own, unit] = [unitOf(text), unitOf(other)];
  const isNegative = (number: string) => plain(number).startsWith('-');
  return isNegative(text) !== isNegative(other) || (own !== unit && KNOWN_UNITS.has(unit));
}

/** Behind the number, with one sign for an l and what looks like it. */
const unitOf = (text: string): string =>
  withOneStroke(BY_TIME.exec(plain(text))?.[0] ?? plain(text).replace(/^[^\d]*[\d.,:]*/, ''));
const withOneStroke = (unit: string): string => unit.replace(/[1I|U]/g, 'l').replace(/^l(?=min|s$|h$)/, 'l/');
const KNOWN_UNITS: ReadonlySet<string> = new Set(UNITS.map(withOneStroke));

/** A flow or a speed by the minute, as the recognizer may read it. */
const BY_TIME = /\s*(?:[1lI|]\/|U\/?)(?:min|mIn|s|h)$/;

/** Digits and marks of the number, without those of its unit. */
const digitsOf = (text: string): string =>
  text
    .replace(BY_TIME, '')
    .replace(/[^\d.,:]/g, '')
    .replace(/[.,:]+$/, '');

/** What may stand in a number beside its unit: the sign of a product, an exponent. */
const PART_OF_NUMBER = /^(?:x|e[+−-]?\d+)$/;
const LONGEST_UNIT = 6;
const UNIT_AT_END = /^\S+ (\S+)$/;
/** Degrees of an angle. */
const RING = /[°º]$/;
/** A number, its unit, and a word that none has: `100 % done`. */
const WORD_BEHIND = /^[^\p{L}\d]{0,3}[\d.,]+ (\S+) \p{Ll}{3,}$/u;

/** The number and the unit of such a text; undefined for another one. */
function measuredIn(text: string): string | undefined {
  const [, unit = ''] = WORD_BEHIND.exec(text) ?? [];
  const last = text.lastIndexOf(' ');
  return UNITS.includes(unit) && !UNITS.includes(text.slice(last + 1)) ? text.slice(0, last) : undefined;
}

/** Whether its letters may be a number and a unit, of which no mark is lost. */
export function mayBeMeasured({ letters, measure }: SeenLine, measured: string, text: string): boolean {
  const [own, all] = [measured, text].map((part) => part.replace(/\s/g, '').length) as [number, number];
  const number = measurementOf({ letters: letters.slice(0, own), measure });
  return letters.length === all && number !== undefined && number.all >= CONFIRMED;
}

/** A number, alone, with a tolerance, or with what may be its unit, which may have a digit: `m3/h`. */
export function isLikeNumber(text: string): boolean {
  if (!/^[^\p{L}\d]{0,3}\d/u.test(text)) return false;
  // Digits with a letter among them before a unit: a mark may have been taken for the letter.
  if (UNIT_AT_END.test(text) && UNITS.includes(text.replace(UNIT_AT_END, '$1'))) return true;
  if (measuredIn(text) !== undefined) return false;
  const words = (text.match(/\p{L}\S*/gu) ?? []).filter((word) => !PART_OF_NUMBER.test(word));
  const [unit = ''] = words;
  return words.length <= 1 && unit.length <= LONGEST_UNIT && text.endsWith(unit);
}
