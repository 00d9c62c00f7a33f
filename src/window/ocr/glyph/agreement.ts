import { NO_LETTER } from './classes.ts';
import { type SeenLine, signOf } from './read-line.ts';

/** Mean of the logarithms of what each letter is sure to be; letters of other alphabets are less so. */
const SURE = -0.4;
/** Of the letters of both readings, those that are the same in the same order. */
const ALIKE = 0.72;
/** Shorter texts tell nothing. */
const LEAST_LETTERS = 3;
const LEAST = 1e-3;

/**
 * Whether a line is in an alphabet that is not known here: its letters look like none that are known, and two recognizers make
 * different ones of them.
 */
export function isForeign({ letters }: SeenLine, text: string): boolean {
  if (letters.length < LEAST_LETTERS) return false;
  const sure = letters.map(({ found }) => Math.log(Math.max(LEAST, ...found.subarray(0, NO_LETTER))));
  if (sure.reduce((sum, one) => sum + one, 0) / letters.length >= SURE) return false;
  const [own, other] = [plain(letters.map(signOf).join('')), plain(text)];
  return shared(own, other) < ALIKE * Math.max(own.length, other.length);
}

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
