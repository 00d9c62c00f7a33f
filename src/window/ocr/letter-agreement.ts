import { CLASSES, NO_LETTER } from './glyph/classes.ts';
import { type SeenLetter, type SeenLine, signOf } from './glyph/read-line.ts';
import { hasLostBlank, lacksBlank, signsIn } from './lost-blanks.ts';

/** Of 1; a letter that another reader takes for another one is doubtful from here on. */
const SURE = 0.98;
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
      ![hasMore, hasUnknownMore, hasLost, hasOneForTwo].some((has) => has(line, signs)) &&
      !hasLostBlank(line, text) &&
      !WORDS_TOGETHER.test(text)
    );
  if (hasOneUnlike(line, signs)) return false;
  const isOther = (sign: string, i: number): boolean => {
    const letter = letters[i];
    if (!letter || !CLASSES.includes(sign)) return false;
    const own = signOf(letter);
    const sure = Math.max(...letter.found.subarray(0, NO_LETTER));
    const isUnlike = (one: string): boolean => one.includes(own) && one.includes(sign) && own !== sign;
    return (
      (sure >= SURE && !isAlike(own, sign)) ||
      (sure >= SURE_ONE && (isOne(own, sign) || (isUnlike('O0') && isAlone(i)))) ||
      (sure >= LEAST_SURE && NEARLY_ALIKE.some(isUnlike))
    );
  };
  const words = text.trim().split(/\s+/);
  const isAlone = (i: number): boolean =>
    words.some((word, k) => [...word].length === 1 && signsIn(words.slice(0, k).join('')).length === i);
  return !signs.some(isOther) && !lacksBlank(line, text, signs);
}

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

/** Of 1; how sure a letter is that a text has lost, and one at an end, where an icon may stand. */
const LOST = 0.5;
const LOST_AT_END = 0.95;
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

/** Whether a sign at an end of a line, which was taken for an icon, is surely a letter: by what it is, or as level as a capital. */
export function isLeftOut({ letters, measure }: SeenLine, at: number): boolean {
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
/** Large letters before the small ones of a word: what was one letter, or several strokes, has become two. */
const ODD_LARGE = /(?<![\p{L}\d])\p{Lu}{2,}\p{Ll}{3}/u;
/** Strokes that no word has beside each other, and those of an I and an l as an H. */
const ODD_STROKES = /lll|[—–]-|(?<!\p{L})Hl/u;
/** An l that is a word is as likely an I, unless it is litres. */
const LONE_STROKE = /(?<!\S)(?<!\d\s*)l(?!\S)(?=.*\p{L}{2}|(?<=\p{L}{2}.*))/u;

/** Whether a text has letters that are as likely others, whoever has read them. */
export const isOddlySpelt = (text: string): boolean =>
  [ODD_CASE, ODD_LARGE, ODD_STROKES, LONE_STROKE].some((odd) => odd.test(text));

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
