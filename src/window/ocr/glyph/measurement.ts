import type { Box } from '../../detect/element.ts';
import { CLASSES } from './classes.ts';
import { type SeenLetter, type SeenLine, signOf } from './read-line.ts';
import { UNITS } from './units.ts';

/** A number with what belongs to it, as one writes it: `-12.5 °C`, `4.8 ± 0.1 kPa`, `14:05:59`. */
export interface Measurement {
  text: string;
  /** 0..1; of the letter that is least sure, and of all together. */
  least: number;
  all: number;
  /** Sign, `±` and unit; and how sure they are together, 0..1: 0 when another reading with other ones is nearly as sure. */
  beside: string;
  besideSure: number;
}

const INDEX = new Map(CLASSES.map((sign, i) => [sign, i]));

/**
 * Signs of one shape in some type, of which only the first can stand where it is looked for: among digits, or in a unit that
 * the other one is no part of.
 */
const SHAPES: Readonly<Record<string, string>> = {
  '0': 'oODQ',
  '1': 'lI|i',
  '5': 'S',
  '2': 'Z',
  '8': 'B',
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

const alone = ({ found }: SeenLetter, sign: string): number => found[INDEX.get(sign) ?? CLASSES.length] ?? 0;

function probability(letter: SeenLetter, sign: string): number {
  let sum = alone(letter, sign);
  for (const other of SHAPES[sign] ?? '') sum += alone(letter, other);
  return Math.min(1, sum);
}

/** By the height of the digits: narrower gaps part no words. In type of one width gaps are wider. */
const BLANK = 0.27;
const BLANK_OF_PITCH = 1.45;
const BLANK_IN_NUMBER = 0.6;
const NARROW = 0.45;
const ALIKE = 0.84;
const LEAST_PITCH = 0.65;
/** Ink of what may be a mark, of 255, and how sure a number is then. */
const FAINT_MARK = 28;
const LOST_MARK = 0.05;
/** By the height of the digits: what is narrower has no bar on top, and is as likely a 1 with a long flag. */
const NARROWEST_SEVEN = 0.56;
/** Least lead of a reading over the next one, which has another sign in the same place. */
const LEAD = 4;

interface Part {
  text: string;
  sure: number[];
  beside: string;
  besideSure: number;
}

/** Undefined when the letters cannot be one. */
export function measurementOf({ letters, measure }: SeenLine): Measurement | undefined {
  if (letters.length === 0 || letters.length > 32) return undefined;
  const hasBlank = blanksOf(letters, measure.height);
  const readings: Part[] = [];
  const series = seriesFrom();
  if (series) readings.push(series);
  const first = valueFrom(0);
  for (const value of first) {
    const { to: rest, ...own } = value;
    if (rest === letters.length) readings.push(own);
    readings.push(...unitsFrom(rest, own));
    if (rest < letters.length && rest > 0) {
      const sure = probability(letters[rest] as SeenLetter, '±');
      if (sure > 0.2)
        for (const tolerance of valueFrom(rest + 1, false)) {
          const gap = hasBlank[rest - 1] ? ' ' : '';
          const gapAfter = hasBlank[rest] ? ' ' : '';
          const both: Part = {
            text: `${own.text}${gap}±${gapAfter}${tolerance.text}`,
            sure: [...own.sure, sure, ...tolerance.sure],
            beside: `${own.beside}±`,
            besideSure: own.besideSure * sure,
          };
          if (tolerance.to === letters.length) readings.push(both);
          readings.push(...unitsFrom(tolerance.to, both));
        }
    }
  }
  const judged = readings
    .map(({ sure, ...part }) => ({ ...part, least: Math.min(...sure), all: productOf(sure) }))
    .sort((a, b) => b.all - a.all);
  const [best] = judged;
  if (!best) return undefined;
  const rivals = judged.filter(({ text, all }) => text !== best.text && best.all < LEAD * all);
  if (rivals.length === 0) return best;
  const besideSure = rivals.every(({ beside }) => beside === best.beside) ? best.besideSure : 0;
  return { ...best, least: Math.min(best.least, 0.5), all: Math.min(best.all, 0.5), besideSure };

  function isDoubtful(sign: string, { box: { x0, x1 } }: SeenLetter): boolean {
    return sign === '7' && x1 - x0 < NARROWEST_SEVEN * measure.height;
  }

  /** A sign and digits with one decimal mark; also the shorter beginnings, since a unit may begin with what looks like a digit. */
  function valueFrom(start: number, mayBeSigned = true): (Part & { to: number })[] {
    const found: (Part & { to: number })[] = [];
    let text = '';
    const sure: number[] = [];
    let [beside, besideSure] = ['', 1];
    let at = start;
    const sign = letters[at];
    if (mayBeSigned && sign) {
      const [one, value] = most(sign, '-+±');
      if (value > 0.3 && letters[at + 1]) {
        text += one;
        sure.push(value);
        [beside, besideSure] = [one, value];
        at++;
      }
    }
    let hasMark = false;
    let digits = 0;
    for (; at < letters.length; at++) {
      const letter = letters[at] as SeenLetter;
      const [mark, markSure] = most(letter, '.,');
      const [digit, digitSure] = most(letter, '0123456789');
      if (markSure > digitSure && markSure > 0.2) {
        if (hasMark || digits === 0 || at + 1 >= letters.length) break;
        hasMark = true;
        text += mark;
        sure.push(markSure);
        digits = 0;
        continue;
      }
      if (digitSure < 0.05) break;
      // A blank between digits: only before a unit, which is tried from here.
      if (digits > 0 && hasBlank[at - 1]) break;
      // Where a mark may be lost, the digits before and behind it are sure of nothing.
      const isMarked = digits > 0 && (letters[at - 1]?.after ?? 0) > FAINT_MARK;
      text += digit;
      sure.push(isMarked || isDoubtful(digit, letter) ? LOST_MARK * digitSure : digitSure);
      digits++;
      found.push({ text, sure: [...sure], beside, besideSure, to: at + 1 });
    }
    return found;
  }

  function unitsFrom(from: number, value: Part): Part[] {
    const count = letters.length - from;
    if (count <= 0) return [];
    const gap = hasBlank[from - 1];
    return UNITS.flatMap((unit) => {
      const signs = [...unit];
      if (signs.length !== count || (!gap && /^[1x]/.test(unit))) return [];
      if (hasBlank.slice(from, -1).some((isBlank) => isBlank)) return [];
      // In a unit, 1 and l are two signs: 1/min is another unit than l/min.
      const sure = signs.map((sign, i) =>
        (sign === '1' ? alone : probability)(letters[from + i] as SeenLetter, sign),
      );
      if (Math.min(...sure) < 0.02) return [];
      return [
        {
          text: `${value.text}${gap ? ' ' : ''}${unit}`,
          sure: [...value.sure, ...sure],
          beside: value.beside + unit,
          besideSure: value.besideSure * productOf(sure),
        },
      ];
    });
  }

  /** Times, dates, addresses: digits and more marks than a number has. */
  function seriesFrom(): Part | undefined {
    let text = '';
    const sure: number[] = [];
    for (const [i, letter] of letters.entries()) {
      const [sign, value] = most(letter, '0123456789.,:/-');
      if (value < 0.05) return undefined;
      if (i > 0 && hasBlank[i - 1] && /\d$/.test(text) && /\d/.test(sign)) text += ' ';
      text += sign;
      sure.push(isDoubtful(sign, letter) ? LOST_MARK * value : value);
    }
    const marks = text.match(/[.,:/-]/g) ?? [];
    return /^\d.*\d$/.test(text) && marks.length > 1 && !/[.,:/-]{2}/.test(text) && !text.includes(' ')
      ? { text, sure, beside: '', besideSure: 1 }
      : undefined;
  }
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
function blanksOf(letters: readonly SeenLetter[], height: number): boolean[] {
  const pitch = pitchOf(letters, height);
  return letters.map((letter, i) => {
    const [box, next] = [letter.box, letters[i + 1]];
    if (!next) return false;
    if (pitch !== undefined)
      return (next.box.x0 + next.box.x1 - box.x0 - box.x1) / 2 > BLANK_OF_PITCH * pitch;
    const gap = next.box.x0 - box.x1;
    // Digits have ground at their sides, a 1 most of all.
    return gap > (isNumeral(letter) && isNumeral(next) ? BLANK_IN_NUMBER : BLANK) * height;
  });
}

const isNumeral = (letter: SeenLetter): boolean => /[\d.,]/.test(signOf(letter));
const isNarrow = ({ x0, x1 }: Box, height: number): boolean => x1 - x0 < NARROW * height;

/** Distance of the letters in type of one width, where a point has as much room as a digit; undefined in other type. */
function pitchOf(letters: readonly SeenLetter[], height: number): number | undefined {
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
