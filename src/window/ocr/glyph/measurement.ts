import type { Box } from '../../detect/element.ts';
import { CLASSES, NO_LETTER } from './classes.ts';
import { type SeenLetter, type SeenLine, signOf } from './read-line.ts';
import { UNITS } from './units.ts';

/** A number with what belongs to it, as one writes it: `-12.5 °C`, `4.8 ± 0.1 kPa`, `14:05:59`. */
export interface Measurement {
  text: string;
  /** 0..1; of the letter that is least sure, and of all together. */
  least: number;
  all: number;
  /** 0..1; of the digit or mark that is least sure. */
  leastDigit: number;
  /** Sign, `±` and unit; and how sure they are together, 0..1: 0 when another reading with other ones is nearly as sure. */
  beside: string;
  besideSure: number;
  /** 0..1; of the unit alone, 1 when there is none. */
  unitSure: number;
  /** Whether a blank of the text, before its unit or around its `±`, may as well be none, or two digits may have one between them. */
  isBlankUnsure: boolean;
}

const INDEX = new Map(CLASSES.map((sign, i) => [sign, i]));

/**
 * Signs of one shape in some type, of which only the first can stand where it is looked for: among digits, or in a unit that
 * the other one is no part of. A Z is no 2: it may as well be a 7 with a point at its foot.
 */
const SHAPES: Readonly<Record<string, string>> = {
  '0': 'oOD',
  '1': 'lI|i',
  '-': '_',
  l: 'I|',
  s: 'S',
  V: 'v',
  W: 'w',
  o: 'O',
  c: 'C',
  x: 'X×',
  K: 'k',
  µ: '',
  '°': '',
  p: 'P',
  '/': '',
};

/**
 * Of 1. Parts of letters look like a point or an l, so that these are often a little like no letter; whether they are one has been decided
 * when the line was put together. What is more like none is judged by it, and so is each digit: it may be two letters.
 */
const MOST_NO_LETTER = 0.45;

const alone = ({ found }: SeenLetter, sign: string): number => found[INDEX.get(sign) ?? CLASSES.length] ?? 0;

function probability(letter: SeenLetter, sign: string): number {
  if (sign === '°' && letter.isParted) return 0;
  let sum = alone(letter, sign);
  for (const other of SHAPES[sign] ?? '') sum += alone(letter, other);
  const none = letter.found[NO_LETTER] as number;
  return Math.min(1, /\d/.test(sign) || none > MOST_NO_LETTER ? sum : sum / (1 - none));
}

/** Of 1: what is less like a digit than the first is a letter of its shape; up to the second, a digit where another reader takes it for one too. */
const LETTER = 0.05;
const OWN_SHAPE = 0.3;
const ONLY_ALIKE = 0.7;

/** By the height of the digits: what ends so far above their feet is a raised sign, as º is; and old digits end no farther below them. */
const RAISED = 0.12;
const LOWERED = 0.4;

/** Of the most probable digit; that of what looks like a letter is not enough for one reader alone: 2D is no 20, and 3/8 no 318. */
function digitOf(letter: SeenLetter, signs = '0123456789'): [sign: string, probability: number] {
  const [sign, value] = most(letter, signs);
  if (!/[01]/.test(sign)) return [sign, value];
  const own = alone(letter, sign);
  return [sign, own < LETTER ? LOST_MARK * value : own < OWN_SHAPE ? Math.min(value, ONLY_ALIKE) : value];
}

/** The signs that a number with its unit may have. */
export const SIGNS_OF_NUMBERS: readonly string[] = [...new Set([...'0123456789.,:/+-±', ...UNITS.join('')])];

/** By the height of the digits: narrower gaps part no words. In type of one width gaps are wider. */
const BLANK = 0.27;
const BLANK_BEFORE_LETTER = 0.2;
const USUAL_GAP = 0.12;
const BLANK_OF_PITCH = 1.45;
const BLANK_IN_NUMBER = 0.6;
/** By the height of the digits: so much farther than the nearest two of their line stand two digits with a blank between them, and farther than two digits of any type, also by the ink of the
 * widest one. */
const STEP_OF_BLANK = 0.2;
const WIDEST_STEP = 1.06;
const WIDEST_STEP_BY_INK = 1.6;
/** By the height of the digits: two of them that stand farther apart may be two numbers. */
const LONE_PAIR = 0.3;
/** By the height of the digits: a letter of type of one width is narrow; and how alike the distances in such type are, and how long at least. */
const NARROW = 0.45;
const ALIKE = 0.84;
const LEAST_PITCH = 0.65;
/** Ink of what may be a mark, of 255, and how sure a number is then. */
const FAINT_MARK = 28;
/** Ink of a mark that touches a digit, of 255: where the digits stand a little farther apart, and wherever they stand. */
const TOUCHING_MARK = 60;
const SURELY_TOUCHING = 110;
const LOST_MARK = 0.05;
/** Of 1, what is left of a minus that may be a tilde. */
const DOUBTFUL_SIGN = 0.3;
/** Of 1; a number with a sign or a unit has one mark, and no other is lost where it has one that is as sure. */
const SURE_MARK = 0.9;
/** By the height of the digits: two of them with a mark between stand so much farther apart, and half as much again. */
const ROOM = 0.12;
const ROOM_OF_TOUCHING = 0.04;
/** By the height of the digits: how far two stand from each other that touch, with no mark between them. */
const STEP_OF_TOUCHING = 0.735;
/** By the height of the digits: what is narrower has no bar on top, and is as likely a 1 with a long flag. */
const NARROWEST_SEVEN = 0.56;
/** By the gap before a unit: gaps between its letters are narrower. */
const WITHIN_UNIT = 0.75;
/** By the height of the digits: a degree may stand as far before its C without a blank before it. */
const BEHIND_DEGREE = 0.5;
/** By the height of the digits: a gap before a unit that is so much wider than any in its number, and than a usual one, may be a blank. */
const WIDER_THAN_ANY = 0.05;
const WIDER_THAN_USUAL = 0.14;
/** Behind a gap as wide as one before a unit, or far wider than any before it, a 1 at the end may be the l of a unit, when it is as likely as this. */
const MAY_BE_L = 0.015;
const FAR_APART = 1.8;
/** The same digit so many times as wide as elsewhere in its line has a mark that touches it, and so has one wider than all others. */
const WIDER = 1.25;
const WIDER_THAN_ALL = 1.4;
/** The same where it also stands so far from another digit that a mark may be between them. */
const WIDER_WITH_ROOM = 1.12;
/** Least width of a 7 by that of other digits, and how many there are at least, for its type to be a narrow one. */
const AS_WIDE = 0.92;
const LEAST_OTHERS = 2;
/** A decimal mark is no sure one when the other one is so likely, by its own probability. */
const OTHER_MARK = 0.4;
/** By the height of the digits: of a mark that is lower a part was too faint to be seen, perhaps the tail of a comma. */
const LOWEST_MARK = 0.1;
/** A time or a duration; with any other mark there is one number alone, which has its own rules. */
const TIME = /^\d{1,3}:[0-5]\d$/;
/** Least lead of a reading over the next one, which has another sign in the same place. */
const LEAD = 4;

interface Part {
  text: string;
  sure: number[];
  /** The same where no mark can be lost, since the number has one. */
  sureMarked?: number[];
  leastDigit: number;
  beside: string;
  besideSure: number;
  unitSure: number;
  isBlankUnsure: boolean;
}

/** Undefined when the letters cannot be one. */
export function measurementOf({ letters, measure }: SeenLine): Measurement | undefined {
  if (letters.length === 0 || letters.length > 32) return undefined;
  if (letters.some((letter) => highOf(letter) > HIGHEST * measure.height)) return undefined;
  const pitch = pitchOf(letters, measure.height);
  const steps = stepsOf(letters);
  const hasBlank = blanksOf(letters, steps, measure.height, pitch);
  if (beginsWithWord()) return undefined;
  const readings: Part[] = [];
  const series = seriesFrom();
  if (series) readings.push(series);
  const first = valueFrom(0);
  for (const value of first) {
    const { to: rest, ...own } = value;
    if (rest === letters.length) readings.push(own.beside === '' ? own : asOneNumber(own));
    readings.push(...unitsFrom(rest, asOneNumber(own)));
    if (rest < letters.length && rest > 0) {
      const sure = probability(letters[rest] as SeenLetter, '±');
      if (sure > 0.2)
        for (const tolerance of valueFrom(rest + 1, false).map(asOneNumber)) {
          const [before, behind] = [hasBlank[rest - 1], hasBlank[rest]];
          const gap = before || behind ? ' ' : '';
          const one = asOneNumber(own);
          const both: Part = {
            text: `${own.text}${gap}±${gap}${tolerance.text}`,
            sure: [...one.sure, sure, ...tolerance.sure],
            leastDigit: Math.min(one.leastDigit, tolerance.leastDigit),
            beside: `${own.beside}±`,
            besideSure: own.besideSure * sure,
            unitSure: 1,
            isBlankUnsure: before !== behind,
          };
          if (tolerance.to === letters.length) readings.push(both);
          readings.push(...unitsFrom(tolerance.to, both));
        }
    }
  }
  const judged = readings
    .map(({ sure, sureMarked: _, ...part }) => ({
      ...part,
      least: Math.min(...sure),
      all: productOf(sure),
      isBlankUnsure: part.isBlankUnsure || hasLonePairApart(),
    }))
    .sort((a, b) => b.all - a.all);
  const [best] = judged;
  if (!best) return undefined;
  const rivals = judged.filter(({ text, all }) => text !== best.text && best.all < LEAD * all);
  if (rivals.length === 0) return best;
  const besideSure = rivals.every(({ beside }) => beside === best.beside) ? best.besideSure : 0;
  return { ...best, least: Math.min(best.least, 0.5), all: Math.min(best.all, 0.5), besideSure };

  function digitAt(letter: SeenLetter, signs?: string): [sign: string, probability: number] {
    const [sign, value] = digitOf(letter, signs);
    return [sign, /\d/.test(sign) && !standsOnLine(letter) ? LOST_MARK * value : value];
  }

  function standsOnLine({ box }: SeenLetter): boolean {
    const above = (measure.baseline - box.y1) / measure.height;
    return above <= RAISED && above >= -LOWERED;
  }

  function widthsBeside(letter: SeenLetter): number[] {
    return letters.flatMap((one) => (one !== letter && isWide(one) ? [one.box.x1 - one.box.x0] : []));
  }

  /** Whether a mark may touch a digit, or be lost between the one before and it. */
  function mayLackMark(sign: string, letter: SeenLetter, at: number): boolean {
    const wide = letter.box.x1 - letter.box.x0;
    if (letter.mayHoldMark && hasRoomBeside(at)) return true;
    if (letters.some((other) => signOf(other) === sign && wide > WIDER * (other.box.x1 - other.box.x0)))
      return true;
    const widest = Math.max(...widthsBeside(letter));
    const isWider = wide > WIDER_THAN_ALL * widest || (wide > WIDER_WITH_ROOM * widest && isFartherApart(at));
    return WIDE_DIGIT.test(sign) && Number.isFinite(widest) && isWider;
  }

  /** Whether a digit may be another sign. */
  function mayBeOther(sign: string, letter: SeenLetter, at: number): boolean {
    const { x0, x1 } = letter.box;
    const others = widthsBeside(letter);
    const isNarrowType = others.length >= LEAST_OTHERS && x1 - x0 >= AS_WIDE * Math.max(...others);
    if (sign === '7') return x1 - x0 < NARROWEST_SEVEN * measure.height && !isNarrowType && !letter.hasBar;
    const before = letters[at - 1];
    if (sign !== '1' || !before || at + 1 < letters.length) return false;
    const gaps = letters
      .slice(0, at - 1)
      .flatMap((one, i) => ([one, letters[i + 1]].every(isDigit) ? [gapBehind(i)] : []));
    const isApart = x0 - before.box.x1 > Math.min(BLANK * measure.height, FAR_APART * Math.max(...gaps, 0));
    return isApart && alone(letter, 'l') > MAY_BE_L;
  }

  /** Whether a digit stands farther from one beside it than other digits of the line from theirs, by as much as a mark. */
  function isFartherApart(at: number): boolean {
    return [at - 1, at].some((i) => {
      const others = steps.filter((other, k): other is number => other !== undefined && k !== i);
      return others.length > 0 && (steps[i] ?? 0) > Math.min(...others) + ROOM * measure.height;
    });
  }

  /** Whether a mark behind a digit may touch it or the next one: there is ink beside their feet, and room for a mark. */
  function mayHideMark(at: number, before: string): boolean {
    const { foot = 0, apart = 1 } = letters[at] as SeenLetter;
    const step = steps[at] ?? 0;
    const isLone = steps.every((other, i) => other === undefined || i === at);
    const hasRoom = /^[-+±]?0$/.test(before) || (isLone && step > STEP_OF_TOUCHING * measure.height);
    return (
      foot > SURELY_TOUCHING ||
      (foot > TOUCHING_MARK && hasRoomBehind(at, ROOM_OF_TOUCHING)) ||
      (apart <= 0 && hasRoom)
    );
  }

  /** Whether a digit stands so far from the next one that a mark may be between them: farther than the nearest two of the line. */
  function hasRoomBehind(at: number, room = ROOM): boolean {
    const step = steps[at];
    const others = steps.filter((other, i): other is number => other !== undefined && i !== at);
    return step === undefined || others.length === 0 || step > Math.min(...others) + room * measure.height;
  }

  /** The same at both sides of a digit: beside another mark and behind the last digit there is none. */
  function hasRoomBeside(at: number, room = ROOM): boolean {
    const [before, next] = [letters[at - 1], letters[at + 1]];
    const isNone = (other: SeenLetter) => /[.,]/.test(signOf(other));
    const hasRoomBefore = !before || !(isNone(before) || (isDigit(before) && !hasRoomBehind(at - 1, room)));
    return hasRoomBefore || (next !== undefined && isDigit(next) && hasRoomBehind(at, room));
  }

  function gapBehind(at: number): number {
    const [letter, next] = [letters[at], letters[at + 1]];
    return letter && next ? next.box.x0 - letter.box.x1 : 0;
  }

  /**
   * Whether a blank stands before a unit: by the gap there, less half of what stands between the letters of its number; and the same by
   * what is nearest in the same rows. Where the two differ, letters are slanted, or the gap is about as wide as a blank and as none.
   */
  function blanksBefore(unit: string, from: number): [boolean, boolean] {
    const own = hasBlank[from - 1] ?? false;
    if (pitch !== undefined) return [own, own];
    const least = (/^[%°]/.test(unit) ? BLANK : BLANK_BEFORE_LETTER) * measure.height;
    const isBlank = (gap: (at: number) => number): boolean => {
      const gaps = letters
        .slice(0, from - 1)
        .map((_, i) => gap(i))
        .sort((a, b) => a - b);
      return gap(from - 1) - (gaps[gaps.length >> 1] ?? USUAL_GAP * measure.height) / 2 > least;
    };
    const blanks: [boolean, boolean] = [
      isBlank(gapBehind),
      isBlank((at) => letters[at]?.apart ?? gapBehind(at)),
    ];
    return blanks.includes(true) ? blanks : [false, standsOut(from - 1)];
  }

  /** Whether a gap, narrow as it is, is wider than each one before it: in narrow type a blank is. A 1 has ground at its side. */
  function standsOut(at: number): boolean {
    const gaps = letters.slice(0, at).map((_, i) => gapBehind(i));
    const middle = [...gaps].sort((a, b) => a - b)[gaps.length >> 1] ?? 0;
    return (
      gaps.length >= LEAST_OTHERS &&
      signOf(letters[at] as SeenLetter) !== '1' &&
      gapBehind(at) >= Math.max(...gaps) + WIDER_THAN_ANY * measure.height &&
      gapBehind(at) >= middle + WIDER_THAN_USUAL * measure.height
    );
  }

  /** Whether two digits, with no others to compare them with, stand as far apart as in type of one width and as two numbers in other type. */
  function hasLonePairApart(): boolean {
    const pairs = steps.flatMap((step, i) => (step === undefined ? [] : [i]));
    const [at] = pairs;
    if (at === undefined || pairs.length > 1 || !letters.slice(at, at + 2).every(isWide)) return false;
    return (letters[at]?.apart ?? 0) > LONE_PAIR * measure.height;
  }

  /** Whether the first word has no digit of its own, as OK and Sold have none. */
  function beginsWithWord(): boolean {
    const end = hasBlank.indexOf(true) + 1 || letters.length;
    return end > 1 && letters.slice(0, end).every((letter) => /\p{L}/u.test(signOf(letter)));
  }

  /** A sign and digits with one decimal mark; also the shorter beginnings, since a unit may begin with what looks like a digit. */
  function valueFrom(start: number, mayBeSigned = true): (Part & { to: number })[] {
    const found: (Part & { to: number })[] = [];
    let text = '';
    const [sure, sureMarked]: [number[], number[]] = [[], []];
    let markIsSure = false;
    let [beside, besideSure] = ['', 1];
    let at = start;
    const sign = letters[at];
    if (mayBeSigned && sign) {
      const [one, seen] = most(sign, '-+±');
      const value = one === '-' && sign.isWavy ? DOUBTFUL_SIGN * seen : seen;
      if (seen > 0.3 && letters[at + 1] && (one !== '-' || isBeside(sign, measure))) {
        text += one;
        sure.push(value);
        sureMarked.push(value);
        // Both readers take a small tilde for a minus.
        [beside, besideSure] = [one, one === '-' && sign.isWavy ? 0 : value];
        at++;
      }
    }
    let [hasMark, maySkipMark] = [false, false];
    let digits = 0;
    for (; at < letters.length; at++) {
      const letter = letters[at] as SeenLetter;
      const [mark, markSure] = most(letter, '.,');
      const [digit, digitSure] = digitAt(letter);
      if (markSure > digitSure && markSure > 0.2) {
        if (hasMark || digits === 0 || at + 1 >= letters.length) break;
        hasMark = true;
        text += mark;
        const other = probability(letter, mark === '.' ? ',' : '.');
        const isUnsure = other > OTHER_MARK * markSure || highOf(letter) < LOWEST_MARK * measure.height;
        const own = isUnsure ? LOST_MARK * markSure : markSure;
        sure.push(own);
        sureMarked.push(own);
        markIsSure = markSure + other >= SURE_MARK;
        digits = 0;
        continue;
      }
      if (digitSure < 0.05) break;
      // A blank between digits: only before a unit, which is tried from here.
      if (digits > 0 && hasBlank[at - 1]) break;
      // A naught before another digit may as well be a letter: O2.
      if (digits === 1 && !hasMark && text.endsWith('0')) {
        const naught = alone(letters[at - 1] as SeenLetter, '0');
        for (const list of [sure, sureMarked])
          list[list.length - 1] = Math.min(list.at(-1) as number, naught);
      }
      // Where a mark may be lost, the digits before and behind it are sure of nothing.
      const isMarked = digits > 0 && (letters[at - 1]?.after ?? 0) > FAINT_MARK && hasRoomBehind(at - 1);
      if (digits > 0 && !hasMark) maySkipMark ||= mayHideMark(at - 1, text);
      if (letter.mayHoldMark) maySkipMark ||= hasRoomBeside(at, ROOM_OF_TOUCHING);
      text += digit;
      const own = mayBeOther(digit, letter, at) ? LOST_MARK * digitSure : digitSure;
      sureMarked.push(own);
      sure.push(isMarked || mayLackMark(digit, letter, at) ? Math.min(own, LOST_MARK * digitSure) : own);
      digits++;
      // A second mark is none of one number.
      const shown = sure.map((value) => (maySkipMark && !hasMark ? Math.min(value, LOST_MARK) : value));
      const leastDigit = Math.min(...shown.slice(beside.length));
      found.push({
        text,
        sure: shown,
        ...(markIsSure ? { sureMarked: [...sureMarked] } : {}),
        leastDigit,
        beside,
        besideSure,
        unitSure: 1,
        isBlankUnsure: false,
        to: at + 1,
      });
    }
    return found;
  }

  function unitsFrom(from: number, value: Part): Part[] {
    const count = letters.length - from;
    if (count <= 0) return [];
    return UNITS.flatMap((unit) => {
      const gaps = blanksBefore(unit, from);
      const gap = gaps.includes(true);
      const signs = [...unit];
      if (signs.length !== count || (!gap && unit.startsWith('x'))) return [];
      if (unit.startsWith('1') && !(gap || gapBehind(from - 1) > BLANK * measure.height)) return [];
      // In type of one width narrow letters stand apart: less far than a unit does from its number.
      const widest = gap
        ? Math.max(BLANK * measure.height, WITHIN_UNIT * gapBehind(from - 1))
        : unit.startsWith('°')
          ? BEHIND_DEGREE * measure.height
          : 0;
      if (signs.some((_, i) => i + 1 < count && hasBlank[from + i] && gapBehind(from + i) > widest))
        return [];
      // In a unit, 1 and l are two signs: 1/min is another unit than l/min.
      const sure = signs.map((sign, i) => {
        const letter = letters[from + i] as SeenLetter;
        const value = (sign === '1' ? alone : probability)(letter, sign);
        return /\p{Lu}/u.test(sign) && !standsOnLine(letter) ? LOST_MARK * value : value;
      });
      if (Math.min(...sure) < 0.02) return [];
      return [
        {
          text: `${value.text}${gap || unit.startsWith('1') ? ' ' : ''}${unit}`,
          sure: [...value.sure, ...sure],
          leastDigit: value.leastDigit,
          beside: value.beside + unit,
          besideSure: value.besideSure * productOf(sure),
          unitSure: productOf(sure),
          isBlankUnsure: value.isBlankUnsure || gaps[0] !== gaps[1],
        },
      ];
    });
  }

  /** Times, dates, addresses: digits and more marks than a number has. */
  function seriesFrom(): Part | undefined {
    let text = '';
    const sure: number[] = [];
    for (const [i, letter] of letters.entries()) {
      const [sign, value] = digitAt(letter, '0123456789.,:/-');
      if (value < 0.05) return undefined;
      if (i > 0 && hasBlank[i - 1] && /\d$/.test(text) && /\d/.test(sign)) text += ' ';
      text += sign;
      sure.push(mayLackMark(sign, letter, i) || mayBeOther(sign, letter, i) ? LOST_MARK * value : value);
    }
    const marks = text.match(/[.,:/-]/g) ?? [];
    return /^\d.*\d$/.test(text) &&
      (marks.length > 1 || TIME.test(text)) &&
      !/[.,:/-]{2}/.test(text) &&
      !text.includes(' ')
      ? {
          text,
          sure,
          leastDigit: Math.min(...sure),
          beside: '',
          besideSure: 1,
          unitSure: 1,
          isBlankUnsure: false,
        }
      : undefined;
  }
}

/** Behind a mark: 7,4415 may be 7,441.5, of which a mark is lost; what 1397.5 may have lost parts its thousands. */
const LONG_SIDE = /[.,]\d{4}/;

/** A value that belongs to a sign, a unit or a tolerance: it is one number, and no time, date or version. */
function asOneNumber<P extends Part>(part: P): P {
  const { sureMarked, beside, text } = part;
  return sureMarked && !LONG_SIDE.test(text)
    ? { ...part, sure: sureMarked, leastDigit: Math.min(...sureMarked.slice(beside.length)) }
    : part;
}

const productOf = (values: readonly number[]): number => values.reduce((product, one) => product * one, 1);

function most(letter: SeenLetter, signs: string): [sign: string, probability: number] {
  let [best, value] = ['', -1];
  for (const sign of signs) {
    const own = probability(letter, sign);
    if (own > value) [best, value] = [sign, own];
  }
  return [best, value];
}

/** After which letters a blank stands. */
function blanksOf(
  letters: readonly SeenLetter[],
  steps: readonly (number | undefined)[],
  height: number,
  pitch: number | undefined,
): boolean[] {
  const widest = Math.max(0, ...letters.filter(isWide).map(({ box }) => box.x1 - box.x0));
  const widestStep = Math.min(
    WIDEST_STEP * height,
    widest > 0 ? WIDEST_STEP_BY_INK * widest : Number.POSITIVE_INFINITY,
  );
  return letters.map((letter, i) => {
    const [box, next] = [letter.box, letters[i + 1]];
    if (!next) return false;
    if (pitch !== undefined) return stepTo(box, next.box) > BLANK_OF_PITCH * pitch;
    const gap = next.box.x0 - box.x1;
    const step = steps[i];
    if (step !== undefined && gap > BLANK * height) {
      const least = Math.min(...steps.flatMap((other, k) => (other === undefined || k === i ? [] : [other])));
      if (step > Math.min(widestStep, least + STEP_OF_BLANK * height)) return true;
    }
    // Digits have ground at their sides, a 1 most of all.
    return gap > (isNumeral(letter) && isNumeral(next) ? BLANK_IN_NUMBER : BLANK) * height;
  });
}

/** How far each digit stands from one behind it: most type gives all of them one width, also a 1, whose ink has ground at its sides. */
const stepsOf = (letters: readonly SeenLetter[]): (number | undefined)[] =>
  letters.map((letter, i) => {
    const next = letters[i + 1];
    return next && isDigit(letter) && isDigit(next) ? stepTo(letter.box, next.box) : undefined;
  });

/** Between the middles of two letters. */
const stepTo = (one: Box, other: Box): number => (other.x0 + other.x1 - one.x0 - one.x1) / 2;

const isDigit = (letter: SeenLetter | undefined): boolean =>
  letter !== undefined && /\d/.test(signOf(letter));
/** One of the digits that are about as wide as each other in all type. */
const WIDE_DIGIT = /[02-689]/;
const isWide = (letter: SeenLetter): boolean => WIDE_DIGIT.test(signOf(letter));
const isNumeral = (letter: SeenLetter): boolean => /[\d.,]/.test(signOf(letter));
const highOf = ({ box }: SeenLetter): number => box.y1 - box.y0;

/** By the height of the digits: what is higher is a letter and one of another line that touches it. */
const HIGHEST = 1.6;

/** Between the feet of the digits and their tops: what lies below or above them is of another line. */
const isBeside = ({ box }: SeenLetter, { baseline, height }: SeenLine['measure']): boolean =>
  box.y1 <= baseline && box.y0 >= baseline - height;

const isNarrow = ({ x0, x1 }: Box, height: number): boolean => x1 - x0 < NARROW * height;

/** Distance of the letters in type of one width, where a point has as much room as a digit; undefined in other type. */
function pitchOf(letters: readonly SeenLetter[], height: number): number | undefined {
  const pitch = evenPitch(letters, height) ?? pitchByMark(letters, height);
  const widest = Math.max(0, ...letters.filter(isWide).map(({ box }) => box.x1 - box.x0));
  return pitch !== undefined && (widest === 0 || pitch <= WIDEST_PITCH * widest) ? pitch : undefined;
}

function evenPitch(letters: readonly SeenLetter[], height: number): number | undefined {
  const [plain, mixed]: [number[], number[]] = [[], []];
  letters.slice(1).forEach((letter, i) => {
    const before = letters[i] as SeenLetter;
    if (!isNumeral(letter) || !isNumeral(before)) return;
    const step = (letter.box.x0 + letter.box.x1 - before.box.x0 - before.box.x1) / 2;
    (isNarrow(letter.box, height) === isNarrow(before.box, height) ? plain : mixed).push(step);
  });
  if (mixed.length < 2) return undefined;
  const least = Math.min(...plain, ...mixed);
  const most = Math.max(...plain, ...mixed);
  return least > ALIKE * most && least > LEAST_PITCH * height ? most : undefined;
}

/** By the height of the digits: a mark of other type is nearer to the digit before it or behind it. */
const MARK_APART = 0.25;
/** By the pitch: how far a digit and a mark may stand from their places. */
const OFF_PITCH = 0.12;
const OFF_MARK = 0.2;
/** By the ink of the widest digit, in type of one width: with a blank or letters spaced apart it is more. */
const WIDEST_PITCH = 1.6;

/**
 * Half the distance of two digits that have ground at both sides of the mark between them, where two others without a mark stand that far
 * apart, and all of them one or two such steps.
 */
function pitchByMark(letters: readonly SeenLetter[], height: number): number | undefined {
  const pitches = letters.flatMap((letter, i) => {
    const [mark, next] = [letters[i + 1], letters[i + 2]];
    if (!mark || !next || !isDigit(letter) || !isDigit(next) || !/[.,]/.test(signOf(mark))) return [];
    const pitch = stepTo(letter.box, next.box) / 2;
    const isMono =
      Math.min(mark.box.x0 - letter.box.x1, next.box.x0 - mark.box.x1) > MARK_APART * height &&
      Math.abs(stepTo(letter.box, mark.box) - pitch) <= OFF_MARK * pitch &&
      pitch >= LEAST_PITCH * height;
    return isMono ? [pitch] : [];
  });
  const [pitch] = pitches;
  if (pitch === undefined) return undefined;
  const counts = stepsOf(letters).flatMap((step) => (step === undefined ? [] : [step / pitch]));
  const isEven = counts.every((count) => Math.abs(count - Math.round(count)) <= OFF_PITCH && count < 2.5);
  return isEven && counts.some((count) => Math.round(count) === 1) ? pitch : undefined;
}
