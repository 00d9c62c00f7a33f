import { type SeenLetter, type SeenLine, signOf } from './glyph/read-line.ts';

/** By the height of the digits: the narrowest blank, between the boxes of two letters and in the rows where they are nearest. */
export const LEAST_BLANK = 0.2;
const LEAST_APART = 0.28;
/** By the other gaps of the text: how wide one is that may be a blank. */
const WIDER = 1.6;
/** By the narrowest blank that was read: a gap as wide as this is one too. */
const AS_WIDE = 0.9;

/** By the height of the digits: a gap as wide as this may well be a blank. */
const LOST_APART = 0.38;
/** By the blank before a 1: a gap behind it as wide as this is one too, since it has as much ground at both sides. */
const AS_WIDE_BESIDE_ONE = 0.75;
/** In type of one width, the farthest step from one letter to the next by the nearest one, and that of a blank by a usual one. */
const ONE_WIDTH = 1.25;
const STEP_OF_BLANK = 1.5;

/** The signs of a text, without its blanks. */
export const signsIn = (text: string): string[] => [...text.replaceAll('…', '...').replace(/\s+/g, '')];

const MAY_BE_APART = /[\p{L}02-9]/u;
const isMarkOf = (before: string, mark: string): boolean => /\p{L}/u.test(before) && /[.:,)]/.test(mark);

/** By the height of the digits, and by the widest other gap within its words: what is as wide is a blank, whatever was read. */
const SURELY_APART = 0.33;
const SURELY_WIDER = 2;
const ALSO_LOST = 0.7;
/** Gaps that are narrower, by those that are not: with fewer of them the letters of a text may be spaced apart. */
const OTHERS_BY_LOST = 0.5;
/** Letters with ground at both sides of their stroke in type of one width. */
const NARROW = /[liIjtfr1!|]/;

/**
 * The text with the blanks that the recognizer of lines has lost, where its letters stand clearly apart, never between two digits; and
 * without those between two letters that are no farther apart than others within words.
 */
export function withLostBlanks(line: SeenLine, text: string): string {
  const signs = signsIn(text);
  if (line.letters.length !== signs.length || text.includes('…')) return text;
  const gaps = gapsOf(line, text);
  const within = gaps.filter(({ isBlank }) => !isBlank);
  const isLost = (gap: Gap): boolean => {
    if (isClear(gap, gaps, signs, line)) return true;
    const others = narrowerThan(gap, within);
    return (
      isSurelyWide(gap, gaps, signs, line) &&
      (others.length >= OTHERS_BY_LOST * (within.length - others.length) || stepsFurther(gap, others))
    );
  };
  const lost = new Set(within.filter(isLost));
  const others = within.filter((gap) => !lost.has(gap));
  const isFalse = ({ at, apart, step, isBlank }: Gap): boolean =>
    isBlank &&
    [at, at + 1].every((i) => /[\p{L}/]/u.test(signs[i] ?? '')) &&
    others.some((other) => other.apart >= apart) &&
    others.some((other) => other.step >= step);
  const blanks = new Set(
    gaps.filter((gap) => (gap.isBlank ? !isFalse(gap) : lost.has(gap))).map(({ at }) => at),
  );
  if (gaps.every(({ at, isBlank }) => blanks.has(at) === isBlank)) return text;
  return signs.map((sign, i) => (blanks.has(i) ? `${sign} ` : sign)).join('');
}

/** By the height of the digits: a gap as wide as this, and between the boxes of its letters, is clear among far narrower ones. */
const CLEAR = 0.28;
const CLEAR_BESIDE_ONE = 0.4;
const CLEAR_BETWEEN_BOXES = 0.25;
/** The same by the narrowest blank that was read, or by the widest gap. */
const BY_BLANK = 0.6;
/** By such a gap: how wide the others within words are at most, also where it is one between two narrow letters; and by their steps, its step at least: type of one width has equal ones. */
const FAR_NARROWER = 0.4;
const FAR_NARROWER_THAN_NARROW = 0.25;
const FURTHER = 1.1;

/** Whether a gap is far wider than all others but those that are as clear, however few letters there are: "Ato E". */
function isClear(gap: Gap, gaps: readonly Gap[], signs: readonly string[], { measure }: SeenLine): boolean {
  const beside = [signs[gap.at] ?? '', signs[gap.at + 1] ?? ''];
  const least = (beside.includes('1') ? CLEAR_BESIDE_ONE : CLEAR) * measure.height;
  if (gap.apart < least || gap.wide < CLEAR_BETWEEN_BOXES * measure.height) return false;
  if (!beside.every((sign) => /[\p{L}\d]/u.test(sign)) || beside.every((sign) => /\d/.test(sign)))
    return false;
  const narrow = gaps.filter((other) => !other.isBlank && other.apart < least);
  const most = beside.every((sign) => NARROW.test(sign)) ? FAR_NARROWER_THAN_NARROW : FAR_NARROWER;
  return (
    narrow.length > 0 &&
    gap.apart >= BY_BLANK * (widthOfBlank(gaps) || Math.max(...gaps.map(({ apart }) => apart))) &&
    narrow.every(({ apart, step }) => apart < most * gap.apart && gap.step >= FURTHER * step)
  );
}

/** Gaps within words, far narrower than this one: other lost blanks are about as wide. In letters that are spaced apart there are none. */
const narrowerThan = (gap: Gap, within: readonly Gap[]): Gap[] =>
  within.filter(({ apart }) => apart < ALSO_LOST * gap.apart);

/** Whether none of the other gaps has the letters at its sides nearly as far from each other, whatever their widths are. */
const stepsFurther = ({ step }: Gap, others: readonly Gap[]): boolean =>
  others.length > 0 && step >= STEP_OF_BLANK * Math.max(...others.map((other) => other.step));

/** Whether a gap is one between words, if the letters of its text are not spaced apart. */
function isSurelyWide(gap: Gap, gaps: readonly Gap[], signs: readonly string[], line: SeenLine): boolean {
  const beside = [signs[gap.at] ?? '', signs[gap.at + 1] ?? ''];
  const within = gaps.filter(({ isBlank }) => !isBlank);
  const asWide = AS_WIDE * widthOfBlank(gaps) || ALSO_LOST * Math.max(0, ...within.map(({ apart }) => apart));
  const others = narrowerThan(gap, within).map(({ apart }) => apart);
  return (
    !beside.every((sign) => /\d/.test(sign)) &&
    !beside.every((sign) => NARROW.test(sign)) &&
    gap.apart >= Math.max(SURELY_APART * line.measure.height, asWide) &&
    gap.apart >= SURELY_WIDER * Math.max(...others) &&
    mayLackBlank(gap, within, signs, line)
  );
}

interface Gap {
  /** Of the letter before it. */
  at: number;
  /** Between the boxes of the two letters, from the middle of one to that of the other, and where they are nearest in the same rows. */
  wide: number;
  step: number;
  apart: number;
  /** Whether the text has a blank there. */
  isBlank: boolean;
}

function gapsOf({ letters }: SeenLine, text: string): Gap[] {
  const words = text.replaceAll('…', '...').trim().split(/\s+/);
  const ends = new Set<number>();
  let end = 0;
  for (const word of words) {
    end += [...word].length;
    ends.add(end);
  }
  return letters.slice(1).map((next, i) => {
    const { box, apart = 0 } = letters[i] as SeenLetter;
    return {
      at: i,
      wide: next.box.x0 - box.x1,
      step: (next.box.x0 + next.box.x1 - box.x0 - box.x1) / 2,
      apart,
      isBlank: ends.has(i + 1),
    };
  });
}

/** Whether a gap far wider than the others of a text, letter by letter as its line, has no blank. */
export function lacksBlank(line: SeenLine, text: string, signs: readonly string[]): boolean {
  const gaps = gapsOf(line, text);
  const narrowest = widthOfBlank(gaps);
  const within = gaps.filter(({ isBlank }) => !isBlank);
  return within.some((gap) => {
    const { at, apart } = gap;
    if (standsAlone(gap, within, signs, line)) return true;
    if (narrowerThan(gap, within).length > 0 && isSurelyWide(gap, gaps, signs, line)) return true;
    const [own = '', next = ''] = [signs[at], signs[at + 1]];
    const other = own === '1' && MAY_BE_APART.test(next) ? gaps[at - 1] : undefined;
    if (other?.isBlank && apart >= AS_WIDE_BESIDE_ONE * other.apart) return true;
    if (!mayLackBlank(gap, within, signs, line)) return false;
    const others = apartOf(within, at);
    // Where no blank was read, several that were lost are no measure of each other.
    const least =
      narrowest > 0
        ? AS_WIDE * narrowest
        : own === '='
          ? Number.POSITIVE_INFINITY
          : LOST_APART * line.measure.height;
    const usual = apart >= least ? others[others.length >> 1] : others.at(-1);
    return apart >= WIDER * (usual ?? 0);
  });
}

/** By its height: a 1 stands as far from another one within a number too, with ground at both sides of its stroke. */
const APART_WITHIN = 0.55;

/** Whether a blank was read between two 1 that may as well be one number. */
export const hasBlankInNumber = (line: SeenLine, text: string, signs: readonly string[]): boolean =>
  gapsOf(line, text).some(({ at, apart, isBlank }) => {
    const { y0, y1 } = (line.letters[at] as SeenLetter).box;
    return isBlank && signs[at] === '1' && signs[at + 1] === '1' && apart < APART_WITHIN * (y1 - y0);
  });

/** By the height of the digits: a gap before a number, where all others within words are narrower than the second one. */
const BEFORE_NUMBER = [0.15, 0.05] as const;

/** Whether the one gap of a line within words is that between a word and a number: "of12". */
const standsAlone = (
  gap: Gap,
  within: readonly Gap[],
  signs: readonly string[],
  { measure }: SeenLine,
): boolean =>
  /\d/.test(signs[gap.at + 1] ?? '') &&
  [gap.at, gap.at - 1].every((at) => /\p{Ll}/u.test(signs[at] ?? '')) &&
  gap.apart >= BEFORE_NUMBER[0] * measure.height &&
  within.every((other) => other === gap || other.apart < BEFORE_NUMBER[1] * measure.height);

/** By the usual gap of a line: how wide a blank is in a text of one word whose letters are not told one by one. */
const BLANK_IN_ONE_WORD = 2.5;

/** Whether the letters of what was read as one word stand so far apart at one place that it is two. */
export function hasLostBlank({ letters, measure }: SeenLine, text: string): boolean {
  if (/\s/.test(text) || letters.length > signsIn(text).length) return false;
  const gaps = letters.slice(0, -1).map(({ apart = 0 }, i) => ({ apart, i }));
  const usual = gaps.map(({ apart }) => apart).sort((a, b) => a - b)[gaps.length >> 1] ?? 0;
  return gaps.some(
    ({ apart, i }) =>
      apart >= LOST_APART * measure.height &&
      apart >= BLANK_IN_ONE_WORD * usual &&
      letters.slice(i, i + 2).every((letter) => MAY_BE_APART.test(signOf(letter))),
  );
}

/** The narrowest blank that was read; 0 when there is none. */
function widthOfBlank(gaps: readonly Gap[]): number {
  const blanks = gaps.flatMap(({ isBlank, apart }) => (isBlank ? [apart] : []));
  return blanks.length > 0 ? Math.min(...blanks) : 0;
}

const apartOf = (within: readonly Gap[], except: number): number[] =>
  within.flatMap(({ at, apart }) => (at === except ? [] : [apart])).sort((a, b) => a - b);

/** Before a letter or a digit; a 1 has ground beside it in most type, and so have decimal marks, and all marks in type of one width. */
function mayLackBlank(
  { at, wide, apart, step }: Gap,
  within: readonly Gap[],
  signs: readonly string[],
  { measure }: SeenLine,
): boolean {
  const [before = '', own = '', next = ''] = [signs[at - 1], signs[at], signs[at + 1]];
  const isSigned = /[-−+±]/.test(next) && /\d/.test(signs[at + 2] ?? '');
  const mayBeBlank =
    (MAY_BE_APART.test(next) || isSigned || (isMarkOf(before, own) && next === '1')) &&
    (MAY_BE_APART.test(own) || /[=<>]/.test(own) || isMarkOf(before, own));
  if (!mayBeBlank || wide < LEAST_BLANK * measure.height || apart < LEAST_APART * measure.height)
    return false;
  const steps = within.flatMap((gap) => (gap.at === at ? [] : [gap.step])).sort((a, b) => a - b);
  if (steps.length < 2) return false;
  const [least = 0, most = 0, middle = 0] = [steps[0], steps.at(-1), steps[steps.length >> 1]];
  return most > ONE_WIDTH * least || step >= STEP_OF_BLANK * middle;
}
