import { CLASSES, NO_LETTER } from './glyph/classes.ts';
import { type SeenLetter, type SeenLine, signOf } from './glyph/read-line.ts';

/** Of 1; a letter that another reader takes for another one is doubtful from here on. */
const SURE = 0.98;
/** The same for a 1, which no other letter is as likely to be. */
const SURE_ONE = 0.9;
/** Signs that differ by what stands around them alone, or not at all in some type. */
const SHAPES = ['Oo0QD', 'Il1|i!', '.,', '"°*'];
/** A text of so many times fewer letters, and some more, is that of a part. */
const FEWER = 3;
const SOME = 2;
/** A text of so many times more letters is one of letters that hang together, as in no alphabet that is known here. */
const MORE = 2;
const LEAST_OF_MORE = 2;
/** By the height of the digits: the narrowest blank, between the boxes of two letters and in the rows where they are nearest. */
const LEAST_BLANK = 0.2;
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

/**
 * Whether two readers have the same letters and blanks, as far as they can be compared: a letter that the network is sure to be another
 * one, and a gap far wider than the others of the text where the recognizer of lines has no blank, make a text doubtful.
 */
export function lettersAgree(line: SeenLine, text: string): boolean {
  const { letters } = line;
  const signs = signsIn(text);
  if (isPart(line, text) || signs.length >= MORE * Math.max(letters.length, LEAST_OF_MORE)) return false;
  if (letters.length !== signs.length)
    return ![hasMore, hasUnknownMore, hasLost].some((has) => has(line, signs)) && !hasLostBlank(line, text);
  if (hasOneUnlike(line, signs)) return false;
  const isOther = (sign: string, i: number): boolean => {
    const letter = letters[i];
    if (!letter || !CLASSES.includes(sign)) return false;
    const own = signOf(letter);
    const sure = Math.max(...letter.found.subarray(0, NO_LETTER));
    return (sure >= SURE && !isAlike(own, sign)) || (sure >= SURE_ONE && isOne(own, sign));
  };
  return !signs.some(isOther) && !lacksBlank(line, text, signs);
}

const signsIn = (text: string): string[] => [...text.replaceAll('…', '...').replace(/\s+/g, '')];

/** Whether a line has far more letters than a text: what was read is a part of it. */
export const isPart = ({ letters }: SeenLine, text: string): boolean =>
  letters.length > FEWER * signsIn(text).length + SOME;

/** Of 1; letters that are as sure all of them are all that a line has. */
const ALL_SEEN = 0.9;

/** Whether a text has all letters of a line, each of which is sure, and one more: the recognizer of lines has made two of one sign. */
function hasMore({ letters }: SeenLine, signs: readonly string[]): boolean {
  if (letters.length !== signs.length - 1) return false;
  if (letters.some(({ found }) => Math.max(...found.subarray(0, NO_LETTER)) < ALL_SEEN)) return false;
  const own = letters.map(signOf);
  const more = own.findIndex((sign, i) => !isAlike(sign, signs[i] as string));
  const at = more < 0 ? own.length : more;
  return (
    /[\p{L}\d]/u.test(signs[at] as string) &&
    own.slice(at).every((sign, i) => isAlike(sign, signs[at + 1 + i] as string))
  );
}

/** Of 1; how sure a letter is that a text has lost. */
const LOST = 0.5;

/** Whether a text has all letters of a line but one within it: of two strokes beside each other the recognizer of lines may lose one. */
function hasLost({ letters }: SeenLine, signs: readonly string[]): boolean {
  if (letters.length !== signs.length + 1) return false;
  const own = letters.map(signOf);
  const at = signs.findIndex((sign, i) => !isAlike(own[i] as string, sign));
  return (
    at > 0 &&
    Math.max(...(letters[at] as SeenLetter).found.subarray(0, NO_LETTER)) >= LOST &&
    signs.slice(at).every((sign, i) => isAlike(own[at + 1 + i] as string, sign))
  );
}

/** Signs of one shape in small and in large where no word has a large one: within small letters, at their end, and second before them. */
const ODD_CASE = /\p{Ll}I\p{Ll}|\p{Ll}{2}[CKOPSUVWXZ](?!\p{L})|(?<!\p{L})\p{Lu}[CKOPSUVWXZ]\p{Ll}{2}/u;
/** Strokes that no word has beside each other. */
const ODD_STROKES = /lll|[—–]-/;

/** Whether a text has letters that are as likely others, whoever has read them. */
export const isOddlySpelt = (text: string): boolean => ODD_CASE.test(text) || ODD_STROKES.test(text);

/** The network knows none, and takes it with the letter beside it for one. */
const APOSTROPHE = /['’‘]/;

/** Whether one letter was read as two signs, one of which is not known here: what it was read as is a guess. */
function hasUnknownMore({ letters }: SeenLine, signs: readonly string[]): boolean {
  if (letters.length !== signs.length - 1) return false;
  const own = letters.map(signOf);
  const at = own.findIndex((sign, i) => !isAlike(sign, signs[i] as string));
  const both = signs.slice(at, at + 2);
  return (
    at >= 0 &&
    both.some((sign) => !CLASSES.includes(sign) && !APOSTROPHE.test(sign)) &&
    both.some((sign) => /[\p{L}\d]/u.test(sign)) &&
    own.slice(at + 1).every((sign, i) => isAlike(sign, signs[at + 2 + i] as string))
  );
}

/** Of 1; how likely the sign of one letter is at most, and all others at least, for it to be read as what it is not. */
const UNLIKE = 0.01;
const LIKE = 0.8;
const LEAST_LIKE = 5;
const LEAST = 1e-6;
const sumOf = (values: readonly number[]): number => values.reduce((sum, one) => sum + one, 0);

/** Whether all letters but one are surely what was read, and that one is not: it is a sign that neither reader knows. */
function hasOneUnlike({ letters }: SeenLine, signs: readonly string[]): boolean {
  if (letters.length < LEAST_LIKE) return false;
  // Among letters: what is most like none is as often one that touches another.
  const likes = letters.map(({ found }, i) => {
    const known = [...found.subarray(0, NO_LETTER)];
    const alike = known.filter((_, k) => isAlike(CLASSES[k] as string, signs[i] as string));
    return sumOf(alike) / Math.max(LEAST, sumOf(known));
  });
  const unlike = likes.flatMap((like, i) => (like < LIKE ? [i] : []));
  const [at = 0] = unlike;
  return unlike.length === 1 && (likes[at] as number) < UNLIKE && CLASSES.includes(signs[at] as string);
}

/** Where a type tells a 1 from other strokes, an l is none: AI14 is no All4. */
const isOne = (own: string, sign: string): boolean => own === '1' && /[lI|i!]/.test(sign);

const isAlike = (one: string, other: string): boolean =>
  one.toLowerCase() === other.toLowerCase() ||
  SHAPES.some((shape) => shape.includes(one) && shape.includes(other));

const MAY_BE_APART = /[\p{L}02-9]/u;
const isMarkOf = (before: string, mark: string): boolean => /\p{L}/u.test(before) && /[.:,)]/.test(mark);

/** By the height of the digits, and by the widest other gap within its words: what is as wide is a blank, whatever was read. */
const SURELY_APART = 0.33;
const SURELY_WIDER = 2;
const ALSO_LOST = 0.7;
/** Gaps that are narrower, by those that are not: most of a text are within its words. */
const OTHERS_BY_LOST = 2;
/** Letters with ground at both sides of their stroke in type of one width. */
const NARROW = /[liIjtfr1!|]/;

/** The text with the blanks that the recognizer of lines has lost, where its letters stand clearly apart; never between two digits. */
export function withLostBlanks(line: SeenLine, text: string): string {
  const signs = signsIn(text);
  if (line.letters.length !== signs.length || text.includes('…')) return text;
  const gaps = gapsOf(line, text);
  const within = gaps.filter(({ isBlank }) => !isBlank);
  const asWide = AS_WIDE * widthOfBlank(gaps) || ALSO_LOST * Math.max(0, ...within.map(({ apart }) => apart));
  const least = Math.max(SURELY_APART * line.measure.height, asWide);
  const isLost = (gap: Gap): boolean => {
    const beside = [signs[gap.at] ?? '', signs[gap.at + 1] ?? ''];
    // Other lost blanks are about as wide; in letters that are spaced apart all gaps are.
    const others = within.filter(({ apart }) => apart < ALSO_LOST * gap.apart);
    return (
      !beside.every((sign) => /\d/.test(sign)) &&
      !beside.every((sign) => NARROW.test(sign)) &&
      gap.apart >= least &&
      others.length >= OTHERS_BY_LOST * (within.length - others.length) &&
      gap.apart >= SURELY_WIDER * Math.max(...others.map(({ apart }) => apart)) &&
      mayLackBlank(gap, within, signs, line)
    );
  };
  const lost = new Set(within.filter(isLost).map(({ at }) => at));
  let count = -1;
  return lost.size === 0
    ? text
    : [...text]
        .map((sign) => {
          if (sign.trim() === '') return sign;
          count++;
          return lost.has(count) ? `${sign} ` : sign;
        })
        .join('');
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

function lacksBlank(line: SeenLine, text: string, signs: readonly string[]): boolean {
  const gaps = gapsOf(line, text);
  const narrowest = widthOfBlank(gaps);
  const within = gaps.filter(({ isBlank }) => !isBlank);
  return within.some((gap) => {
    const { at, apart } = gap;
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

/** By the usual gap of a line: how wide a blank is in a text of one word whose letters are not told one by one. */
const BLANK_IN_ONE_WORD = 2.5;

/** Whether the letters of what was read as one word stand so far apart at one place that it is two. */
function hasLostBlank({ letters, measure }: SeenLine, text: string): boolean {
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
  const mayBeBlank =
    (MAY_BE_APART.test(next) || (isMarkOf(before, own) && next === '1')) &&
    (MAY_BE_APART.test(own) || own === '=' || isMarkOf(before, own));
  if (!mayBeBlank || wide < LEAST_BLANK * measure.height || apart < LEAST_APART * measure.height)
    return false;
  const steps = within.flatMap((gap) => (gap.at === at ? [] : [gap.step])).sort((a, b) => a - b);
  if (steps.length < 2) return false;
  const [least = 0, most = 0, middle = 0] = [steps[0], steps.at(-1), steps[steps.length >> 1]];
  return most > ONE_WIDTH * least || step >= STEP_OF_BLANK * middle;
}
