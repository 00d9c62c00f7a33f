import type { Box } from '../../detect/element.ts';
import type { Contrast } from '../contrast.ts';
import { type Atom, atomsOf } from './atoms.ts';
import { CLASSES, NO_LETTER } from './classes.ts';
import { addLooks } from './looks.ts';
import { classify, type Network } from './network.ts';
import { boxOf, type Measure, MOST_WIDE, viewOf } from './view.ts';

/** A letter as the network sees it. */
export interface SeenLetter {
  /** Probability of each class. */
  found: Float32Array;
  box: Box;
  /** Strongest ink at the feet between this letter and the next one, of 255: a mark may be lost there. */
  after?: number;
  /** Columns without ink to the next letter, where the two are nearest in about the same rows: slanted letters reach over each other. */
  apart?: number;
  /** Strongest ink at the feet that lies beyond the strokes of this letter and the next one, of 255: a mark may touch one of them. */
  foot?: number;
  /** A part at one of its sides is like a mark, and what is left is like a digit: the letter may be both. */
  mayHoldMark?: boolean;
  /** A stroke along its top is about as wide as the letter: a 7 has one, a 1 with a long flag has none. */
  hasBar?: boolean;
  /** A stroke along its foot is about as wide as the letter: a comparison with one is no < and no >. */
  hasFoot?: boolean;
  /** Ground from top to foot parts it, as it does the two strokes of a quote; no ring has such a gap. */
  isParted?: boolean;
  /** Its second half lies lower than its first: a tilde, and no minus. */
  isWavy?: boolean;
}

export interface SeenLine {
  letters: SeenLetter[];
  measure: Measure;
}

/** Parts of one letter at most. */
const MOST_PARTS = 6;
const LEAST_PROBABILITY = 1e-6;
/** What each letter costs: an m is not an r and an n. */
const EACH = 0.7;
/** Of the highest piece; lower ones tell nothing about the digits. */
const TALL = 0.5;
/** Of the highest piece; tops and feet that are nearer are the same. */
const SAME = 0.07;
const MOST_MEASURES = 3;
/** Probability of a mark and of a digit from which two parts may be both. */
const LIKE_BOTH = 0.3;
/** Longer lines are sentences. */
const MOST_ATOMS = 80;

/**
 * The letters of a line, in the parts that the network is surest of; undefined when there is none.
 *
 * @param signs the only ones that it may have
 */
export function readLine(
  ink: Contrast,
  network: Network,
  signs: readonly string[] = CLASSES,
): SeenLine | undefined {
  const isAmong = CLASSES.map((sign) => sign !== '' && signs.includes(sign));
  const { atoms, owners } = atomsOf(ink);
  if (atoms.length === 0 || atoms.length > MOST_ATOMS) return undefined;
  let best: (SeenLine & { score: number }) | undefined;
  for (const measure of measuresOf(atoms)) {
    const path = pathOf(ink, owners, atoms, measure, network, isAmong);
    if (path && (!best || path.score > best.score)) best = { ...path, measure };
  }
  if (best) addLooks(best, ink);
  return best;
}

/** How high the digits may be: by the pieces that are as high as others. */
function measuresOf(atoms: readonly Atom[]): Measure[] {
  const pieces = [...new Set(atoms.map(({ piece }) => piece))].map((piece) =>
    boxOf(atoms.filter((atom) => atom.piece === piece)),
  );
  const highest = Math.max(...pieces.map(({ y0, y1 }) => y1 - y0));
  const groups: { boxes: Box[] }[] = [];
  for (const box of pieces) {
    if (box.y1 - box.y0 < TALL * highest) continue;
    const group = groups.find(({ boxes: [first] }) => first && isLevel(first, box, SAME * highest));
    if (group) group.boxes.push(box);
    else groups.push({ boxes: [box] });
  }
  return groups
    .sort((a, b) => b.boxes.length - a.boxes.length)
    .slice(0, MOST_MEASURES)
    .map(({ boxes }) => {
      const baseline = mean(boxes.map(({ y1 }) => y1));
      return { baseline, height: baseline - mean(boxes.map(({ y0 }) => y0)) };
    });
}

const isLevel = (a: Box, b: Box, within: number): boolean =>
  Math.abs(a.y0 - b.y0) <= within && Math.abs(a.y1 - b.y1) <= within;

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** The most probable way to put the atoms together. */
function pathOf(
  ink: Contrast,
  owners: Uint16Array,
  atoms: readonly Atom[],
  measure: Measure,
  network: Network,
  isAmong: readonly boolean[],
): { letters: SeenLetter[]; score: number } | undefined {
  const seen = (own: readonly Atom[]) => {
    const found = classify(network, viewOf(ink, owners, own, measure));
    return isColon(own, measure) ? asColon(found) : found;
  };
  const ends: ({ score: number; from: number; letter?: SeenLetter } | undefined)[] = [{ score: 0, from: 0 }];
  for (let to = 1; to <= atoms.length; to++)
    for (let from = Math.max(0, to - MOST_PARTS); from < to; from++) {
      const before = ends[from];
      if (!before) continue;
      const own = atoms.slice(from, to);
      const box = boxOf(own);
      if (own.length > 1 && box.x1 - box.x0 > MOST_WIDE * measure.height) continue;
      const found = seen(own);
      const most = Math.max(LEAST_PROBABILITY, ...found.filter((_, i) => isAmong[i]));
      const score = before.score + Math.log(most) - EACH;
      if (score > (ends[to]?.score ?? Number.NEGATIVE_INFINITY))
        ends[to] = { score, from, letter: { found, box } };
    }
  const letters: SeenLetter[] = [];
  for (let at = atoms.length; at > 0; ) {
    const end = ends[at];
    if (!end?.letter) return undefined;
    const own = atoms.slice(end.from, at);
    letters.unshift(mayHoldMark(end.letter, own, seen) ? { ...end.letter, mayHoldMark: true } : end.letter);
    at = end.from;
  }
  return { letters, score: ends[atoms.length]?.score ?? 0 };
}

/**
 * By the height of the digits: widest and lowest dot, how unlike two are, how far the lower one is from their feet, the upper one at
 * least from their tops, and the two at most from each other. A speck above a decimal point makes no time of a number.
 */
const DOT = { wide: 0.3, high: 0.07, unlike: 0.06, off: 0.2, below: 0.1, apart: 0.5 };
const COLON = CLASSES.indexOf(':');

/** Two dots of one size above each other: the network takes those of some types for no letter. */
function isColon(atoms: readonly Atom[], { baseline, height }: Measure): boolean {
  const [upper, lower, ...more] = [...atoms].sort((a, b) => a.y0 - b.y0);
  if (!upper || !lower || more.length > 0) return false;
  const alike = Math.max(1, DOT.unlike * height);
  const [wide, high] = [lower.x1 - lower.x0, lower.y1 - lower.y0];
  return (
    Math.max(wide, high) <= DOT.wide * height &&
    Math.abs(wide - high) <= 2 * alike &&
    Math.abs(upper.x1 - upper.x0 - wide) <= alike &&
    Math.abs(upper.y1 - upper.y0 - high) <= alike &&
    Math.abs(upper.x0 - lower.x0) <= alike &&
    high >= DOT.high * height &&
    lower.y0 - upper.y1 >= high &&
    lower.y0 - upper.y1 <= DOT.apart * height &&
    upper.y0 - (baseline - height) >= DOT.below * height &&
    baseline - lower.y1 <= DOT.off * height &&
    lower.y1 - baseline <= alike
  );
}

/** What is like no letter is a colon. */
function asColon(found: Float32Array): Float32Array {
  const colon = Float32Array.from(found);
  colon[COLON] = (found[COLON] as number) + (found[NO_LETTER] as number);
  colon[NO_LETTER] = 0;
  return colon;
}

/** Looked at with digits alone. The network sees whole letters most often, and a 4 with a point at its side is still like a 4. */
function mayHoldMark(
  letter: SeenLetter,
  own: readonly Atom[],
  seen: (own: readonly Atom[]) => Float32Array,
): boolean {
  if (own.length < 2 || !/[\dlI|]/.test(signOf(letter))) return false;
  const most = (found: Float32Array, signs: string) =>
    Math.max(...[...signs].map((sign) => found[CLASSES.indexOf(sign)] as number));
  return [1, own.length - 1].some((cut) =>
    [
      [own.slice(0, cut), own.slice(cut)],
      [own.slice(cut), own.slice(0, cut)],
    ].some(
      ([mark = [], digit = []]) =>
        mark.length === 1 &&
        most(seen(mark), '.,') >= LIKE_BOTH &&
        most(seen(digit), '0123456789lI|') >= LIKE_BOTH,
    ),
  );
}

/** The most probable sign of a letter. */
export function signOf({ found }: SeenLetter): string {
  let best = 0;
  for (let i = 1; i < NO_LETTER; i++) if ((found[i] as number) > (found[best] as number)) best = i;
  return CLASSES[best] ?? '';
}
