import { boxOf, type Ink } from './ink.ts';

/** How the letters of one row follow each other. */
export interface Pitch {
  /** Usual distance from the middle of a letter to that of the next, pixels; 0 where it is not known. */
  step: number;
  /** How far letters stand from places that are whole steps apart, in steps: least where all letters are as wide as each other. */
  spread: number;
  /** First and last pixel of what stands above each other, from left to right. */
  columns: readonly { x0: number; x1: number }[];
}

/** Of fewer letters nothing is known. */
const LEAST_LETTERS = 5;
const UNKNOWN = 1;
/** So many of the distances at most are shorter than a step: many longer ones are of letters that touch. */
const SINGLE = 0.15;
/** Wider ones are two letters that touch. In steps, as all that follows. */
const TWO_LETTERS = 1.3;
/** How far the usual distances are from each other. */
const NEAR = 0.15;
/** Letters on either side that each one is measured by: farther ones may be of another column. */
const BESIDE = 2;
/** So many of the letters stand no farther off: the others may be signs of another type. */
const MOST = 0.75;

/** @param sorted pieces of ink of one row, from left to right */
export function pitchOf(ink: Ink, sorted: readonly number[]): Pitch {
  const columns: { x0: number; x1: number }[] = [];
  for (const l of sorted) {
    const { x0, x1 } = boxOf(ink, l);
    const last = columns.at(-1);
    if (last && x0 < last.x1) last.x1 = Math.max(last.x1, x1);
    else columns.push({ x0, x1 });
  }
  const unknown = { step: 0, spread: UNKNOWN, columns };
  if (columns.length < LEAST_LETTERS) return unknown;
  const usual = amongLeast(distancesOf(columns.map(middleOf)), SINGLE);
  const letters = columns.filter(({ x0, x1 }) => x1 - x0 <= TWO_LETTERS * usual).map(middleOf);
  if (letters.length < LEAST_LETTERS) return unknown;
  const distances = distancesOf(letters);
  const counts = distances.map((distance) => Math.max(1, Math.round(distance / usual)));
  const singles = distances.map((distance, i) => distance / (counts[i] as number));
  const middle = median(singles);
  const near = singles.filter((single) => Math.abs(single / middle - 1) <= NEAR);
  const step = near.reduce((sum, single) => sum + single, 0) / near.length;
  let at = 0;
  const starts = letters.map((own, i) => {
    at += counts[i - 1] ?? 0;
    return own / step - at;
  });
  const off = starts.map((start, i) =>
    Math.abs(start - median(starts.slice(Math.max(0, i - BESIDE), i + BESIDE + 1))),
  );
  return { step, spread: Math.min(UNKNOWN, amongLeast(off, MOST)), columns };
}

/** The value that a share of them is less than. */
const amongLeast = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor(share * values.length)] as number;
const median = (values: readonly number[]): number => amongLeast(values, 0.5);

const middleOf = ({ x0, x1 }: { x0: number; x1: number }): number => (x0 + x1) / 2;

const distancesOf = (middles: readonly number[]): number[] =>
  middles.slice(1).map((middle, i) => middle - (middles[i] as number));

/** Steps from the letter that ends at a column of pixels to the next one, which begins at another; 0 for two that stand above each other. */
export function stepsOver({ step, columns }: Pitch, x1: number, x0: number): number {
  if (step === 0) return 0;
  let [low, high] = [0, columns.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((columns[middle] as { x0: number }).x0 < x1) low = middle + 1;
    else high = middle;
  }
  const [one, two] = [columns[low - 1], columns[low]];
  return one && two && one.x1 <= x0 ? (middleOf(two) - middleOf(one)) / step : 0;
}
