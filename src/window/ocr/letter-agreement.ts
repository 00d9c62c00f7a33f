import { CLASSES, NO_LETTER } from './glyph/classes.ts';
import { type SeenLetter, type SeenLine, signOf } from './glyph/read-line.ts';
import { UNITS } from './glyph/units.ts';
import { hasBlankInNumber, hasLostBlank, LEAST_BLANK, lacksBlank, signsIn } from './lost-blanks.ts';

/** Of 1; a letter that another reader takes for another one is doubtful from here on. */
const SURE = 0.98;
/** Of 1; an A that is as likely no letter, and has a stroke along its foot, is a Δ. */
const MAY_BE_NONE = 0.5;
/** The same for a 1, which no other letter is as likely to be. */
const SURE_ONE = 0.9;
/** Signs that differ by what stands around them alone, or not at all in some type. */
const SHAPES = ['Oo0', 'Il1|i!', '.,', '"°*'];
/** Signs that differ by one small stroke, and how sure one of them is, of 1, where the other one was read. */
const NEARLY_ALIKE = ['OQ', '([', ')]', '.,'];
const LEAST_SURE = 0.7;
/** A word that begins within another one: a blank may be lost, which the letters cannot tell. */
const WORDS_TOGETHER = /\p{Ll}{2}\p{Lu}\p{Ll}{2}/u;
/** A text of so many times fewer letters, and some more, is that of a part. */
const FEWER = 3;
const SOME = 2;
/** A text of so many times more letters is one of letters that hang together, as in no alphabet that is known here. */
const MORE = 2;
const LEAST_OF_MORE = 2;

/**
 * Whether two readers have the same letters and blanks, as far as they can be compared: a letter that the network is sure to be another
 * one, and a gap far wider than the others of the text where the recognizer of lines has no blank, make a text doubtful.
 */
export function lettersAgree(line: SeenLine, text: string): boolean {
  const { letters } = line;
  const signs = signsIn(text);
  if (isPart(line, text) || signs.length >= MORE * Math.max(letters.length, LEAST_OF_MORE)) return false;
  if (letters.length !== signs.length)
    return (
      !hasLostSlash(line, text) &&
      !hasBarBelow(line) &&
      ![hasMore, hasUnknownMore, hasLost, hasLostWord, hasOneForTwo].some((has) => has(line, signs)) &&
      !hasLostBlank(line, text) &&
      !WORDS_TOGETHER.test(text)
    );
  if (hasOneUnlike(line, signs) || hasBarBelow(line)) return false;
  const isOther = (sign: string, i: number): boolean => {
    const letter = letters[i];
    if (!letter) return false;
    const own = signOf(letter);
    const sure = Math.max(...letter.found.subarray(0, NO_LETTER));
    // A sign that the network does not know is no digit; an @ is the exception, since it looks like one.
    if (!CLASSES.includes(sign)) return /\d/.test(own) && sure >= SURE && !/[@\p{L}]/u.test(sign);
    if (sign === 'A' && letter.hasFoot && (letter.found[NO_LETTER] as number) >= MAY_BE_NONE) return true;
    const isUnlike = (one: string): boolean => one.includes(own) && one.includes(sign) && own !== sign;
    return (
      (sure >= SURE && !isAlike(own, sign)) ||
      (sure >= SURE_ONE && (isOne(own, sign) || (isUnlike('O0') && isAlone(i)) || isUnlike('o0'))) ||
      (sure >= LEAST_SURE && NEARLY_ALIKE.some(isUnlike))
    );
  };
  const words = text.trim().split(/\s+/);
  const isAlone = (i: number): boolean =>
    words.some((word, k) => [...word].length === 1 && signsIn(words.slice(0, k).join('')).length === i);
  return !signs.some(isOther) && !lacksBlank(line, text, signs) && !hasBlankInNumber(line, text, signs);
}

/** Of 1, for each letter that confirms a guess. */
const CONFIRMED = 0.9;
/** Letters that other signs are drawn like, and a word of those of one shape in small and in large. */
const LIKE_OTHERS = /[Il1|0Oo]/;
const ALL_OF_ONE_SHAPE = /^[ckopsuvwxz]*$/i;

/** Whether the letters of a line are those of a word, each of which is sure and none of which is like another one. */
export const isSeen = ({ letters, measure }: SeenLine, text: string): boolean =>
  letters.length > 1 &&
  !/\s/.test(text.trim()) &&
  !LIKE_OTHERS.test(text) &&
  !ALL_OF_ONE_SHAPE.test(text) &&
  letters.map(signOf).join('') === signsIn(text).join('') &&
  letters.every(
    ({ found, apart = 0 }, i) =>
      Math.max(...found.subarray(0, NO_LETTER)) >= CONFIRMED &&
      (i + 1 === letters.length || apart < LEAST_BLANK * measure.height),
  );

/** The l and the slash of a rate may be lost together. */
const hasLostSlash = ({ letters }: SeenLine, text: string): boolean =>
  /\d/.test(text) &&
  !text.includes('/') &&
  letters.some((letter) => signOf(letter) === '/' && Math.max(...letter.found) >= SURE_ONE);

/** Whether a line has a sign that no class is for: a comparison with a bar below it. */
const hasBarBelow = ({ letters }: SeenLine): boolean =>
  letters.some((letter) => letter.hasFoot === true && /[<>]/.test(signOf(letter)));

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
    /[\p{L}\d.,:;!]/u.test(signs[at] as string) &&
    own.slice(at).every((sign, i) => isAlike(sign, signs[at + 1 + i] as string))
  );
}

/** Of 1; how sure a letter is that a text has lost, and one at an end, where an icon may stand. */
const LOST = 0.5;
const LOST_AT_END = 0.95;
/** Letters of a word or a number that may be lost, at least. */
const LOST_WORD = 2;
/** What may be an icon: a sign, and letters of the shape of one, such as a cross. */
const LIKE_ICON = /[^\p{L}\d]|[xvociluns10]/iu;

/** Whether a text has all letters of a line but one: the recognizer of lines may lose one of two strokes, and a letter that stands alone. */
function hasLost({ letters }: SeenLine, signs: readonly string[]): boolean {
  if (letters.length !== signs.length + 1) return false;
  const own = letters.map(signOf);
  const unlike = signs.findIndex((sign, i) => !isAlike(own[i] as string, sign));
  const at = unlike < 0 ? signs.length : unlike;
  const isAtEnd = at === 0 || at === signs.length;
  if (isAtEnd && LIKE_ICON.test(own[at] as string)) return false;
  return (
    Math.max(...(letters[at] as SeenLetter).found.subarray(0, NO_LETTER)) >= (isAtEnd ? LOST_AT_END : LOST) &&
    signs.slice(at).every((sign, i) => isAlike(own[at + 1 + i] as string, sign))
  );
}

/** Letters of a line that a text lacks at one of its ends, all others being alike; for each end where that is so. */
export function lostAtEnds({ letters }: SeenLine, signs: readonly string[]): SeenLetter[][] {
  const lost = letters.length - signs.length;
  const isRest = (from: number) =>
    signs.every((sign, i) => isAlike(signOf(letters[from + i] as SeenLetter), sign));
  if (lost < LOST_WORD) return [];
  return [
    ...(isRest(0) ? [letters.slice(signs.length)] : []),
    ...(isRest(lost) ? [letters.slice(0, lost)] : []),
  ];
}

/** Whether a text lacks a word at one of its ends whose letters are all sure: no icon looks like a word. */
function hasLostWord(line: SeenLine, signs: readonly string[]): boolean {
  // An icon with a badge may look like more letters than the badge has.
  return line.letters.length <= 2 * signs.length && lostAtEnds(line, signs).some(areLetters);
}

/** A W is two of its own. */
const LARGE = /(?!W)\p{Lu}/u;

/** Whether a text has all letters of a line but two, for which it has one capital: these may be any letters that touch. */
function hasOneForTwo({ letters }: SeenLine, signs: readonly string[]): boolean {
  if (letters.length !== signs.length + 1) return false;
  const own = letters.map(signOf);
  const at = signs.findIndex((sign, i) => !isAlike(own[i] as string, sign));
  return (
    at >= 0 &&
    LARGE.test(signs[at] as string) &&
    !isAlike(own[at + 1] as string, signs[at] as string) &&
    signs.slice(at + 1).every((sign, i) => isAlike(own[at + 2 + i] as string, sign))
  );
}

/** By the height of the digits: how far the ends of a stroke that is a letter are from their tops and feet; an icon seldom is as level. */
const LEVEL = 0.05;

/**
 * Whether signs at an end of a line, which were taken for an icon, are surely letters: one by what it is, or as level as a capital; several
 * where each of them is sure.
 */
export function isLeftOut(line: SeenLine, from: number, count = 1): boolean {
  return count === 1 ? isLetter(line, from) : areLetters(line.letters.slice(from, from + count));
}

/** Whether what was taken for an icon behind a number is its unit: it stands on the feet of its digits, as few icons do. */
export function isUnitLeftOut({ letters, measure }: SeenLine, from: number): boolean {
  const rest = letters.slice(from);
  return (
    /\d/.test(signOf(letters[from - 1] as SeenLetter)) &&
    UNITS.includes(rest.map(signOf).join('')) &&
    rest.every(
      ({ found, box }) =>
        Math.max(...found.subarray(0, NO_LETTER)) >= CONFIRMED &&
        Math.abs(box.y1 - measure.baseline) <= LEVEL * measure.height,
    )
  );
}

const areLetters = (letters: readonly SeenLetter[]): boolean =>
  letters.every(
    (letter) =>
      /[\p{L}\d]/u.test(signOf(letter)) && Math.max(...letter.found.subarray(0, NO_LETTER)) >= LOST_AT_END,
  );

function isLetter({ letters, measure }: SeenLine, at: number): boolean {
  const letter = letters[at];
  if (!letter || !/[\p{L}\d]/u.test(signOf(letter))) return false;
  const { y0, y1 } = letter.box;
  const { baseline, height } = measure;
  const isLevel = [y1 - baseline, baseline - height - y0].every((off) => Math.abs(off) <= LEVEL * height);
  const sure = Math.max(...letter.found.subarray(0, NO_LETTER));
  return LIKE_ICON.test(signOf(letter)) ? isLevel && /[lI1|]/.test(signOf(letter)) : sure >= LOST_AT_END;
}

/** Signs of one shape in small and in large where no word has a large one: within small letters, at their end, and second before them. */
const ODD_CASE = /\p{L}I\p{Ll}|\p{Ll}{2}[CKOPSUVWXZ](?!\p{L})|(?<!\p{L})\p{Lu}[CKOPSUVWXZ]+\p{Ll}{2}/u;
/** Large letters before the small ones of a word: what was one letter, or several strokes, has become two, unless both readers have them. */
const ODD_LARGE = /(?<![\p{L}\d])\p{Lu}{2,}\p{Ll}{3}/u;
/** Strokes that no word has beside each other, and those of an I and an l as an H. */
const ODD_STROKES = /lll|[—–]-|(?<!\p{L})Hl/u;
/** An l that is a word is as likely an I, unless it is litres. */
const LONE_STROKE = /(?<!\S)(?<!\d\s*)l(?!\S)(?=.*\p{L}{2}|(?<=\p{L}{2}.*))/u;

/** A protocol with one stroke behind it: the other one has become a letter. */
const ODD_ADDRESS = /\p{L}{2}:\/(?!\/)/u;
/** The zero of a hexadecimal number that became an O. */
const ODD_BASE = /(?<!\p{L})[Oo]x[\dA-F]/u;
/** A number and the word behind or before it, without a blank: "1of 7". */
const ODD_RANGE = /(?<![\p{L}\d])(?:\d+(?:of|to)|(?:of|to)\d+)(?![\p{L}\d])/u;

/** The occlusion pressure P0.1 and its value without a blank: P0.12.5. */
const ODD_OCCLUSION = /(?<!\p{L})P0[.,]1\d/u;
/** Between a word and a number, what a comparison with a bar below it is read as. */
const ODD_COMPARISON = /(?<=\p{L}\s*)[£«»§¢](?=\s*[-−+]?\d)/u;

/** What is odd whoever has read it, and what is not where each letter of it is surely the same one: GPSfix. */
const ODD = [ODD_BASE, ODD_STROKES, LONE_STROKE, ODD_ADDRESS, ODD_RANGE, ODD_COMPARISON, ODD_OCCLUSION];
const ODD_UNLESS_SEEN = [ODD_CASE, ODD_LARGE].map((odd) => new RegExp(odd, 'gu'));

/** Whether a text has letters that are as likely others. @param line the same letters as another reader has them */
export function isOddlySpelt(text: string, line?: SeenLine): boolean {
  if (ODD.some((odd) => odd.test(text))) return true;
  const letters = line?.letters.length === signsIn(text).length ? line.letters : undefined;
  const isSeenAs = (sign: string, i: number): boolean => {
    const letter = letters?.[i];
    if (!letter || Math.max(...letter.found.subarray(0, NO_LETTER)) < LEAST_SURE) return false;
    return signOf(letter) === sign;
  };
  return ODD_UNLESS_SEEN.some((odd) =>
    [...text.matchAll(odd)].some(({ 0: part, index }) => {
      const from = signsIn(text.slice(0, index)).length;
      return ![...part].every((sign, i) => isSeenAs(sign, from + i));
    }),
  );
}

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
