import { NO_LETTER } from './classes.ts';
import { type SeenLetter, type SeenLine, signOf } from './read-line.ts';

/**
 * Mean of the logarithms of what each letter is sure to be, and which share of the letters of both readings has to be the same, in
 * the same order: the less the letters look like known ones, the more has to agree.
 */
const DOUBTS = [
  { sure: -0.4, alike: 0.6 },
  { sure: -0.9, alike: 0.78 },
] as const;
/** A letter that is surer than this to be none of those that are known agrees with nothing. */
const UNKNOWN = 0.5;
/** Shorter texts tell nothing. */
const LEAST_LETTERS = 3;
const LEAST = 1e-3;

/**
 * Whether a line is in an alphabet that is not known here: its letters look like none that are known, and two recognizers make
 * different ones of them.
 */
export function isForeign({ letters }: SeenLine, text: string): boolean {
  if (letters.length < LEAST_LETTERS) return false;
  const logs = letters.map(({ found }) => Math.log(Math.max(LEAST, ...found.subarray(0, NO_LETTER))));
  const mean = logs.reduce((sum, one) => sum + one, 0) / letters.length;
  const own = plain(letters.map(knownSignOf).join(''));
  const other = plain(text);
  const alike = shared(own, other) / Math.max(own.length, other.length);
  return DOUBTS.some((doubt) => mean < doubt.sure && alike < doubt.alike);
}

const knownSignOf = (letter: SeenLetter): string =>
  (letter.found[NO_LETTER] as number) > UNKNOWN ? '\0' : signOf(letter);

/** What has one shape in small and large letters, or with an accent, is the same here. */
const plain = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\s|\p{M}/gu, '')
    .toLowerCase()
    .replace(/[il|]/g, '1')
    .replaceAll('o', '0');

/** Length of the longest common subsequence. */
function shared(a: string, b: string): number {
  let before = new Uint16Array(b.length + 1);
  for (const sign of a) {
    const row = new Uint16Array(b.length + 1);
    for (let j = 1; j <= b.length; j++)
      row[j] =
        sign === b[j - 1]
          ? (before[j - 1] as number) + 1
          : Math.max(before[j] as number, row[j - 1] as number);
    before = row;
  }
  return before[b.length] as number;
}
