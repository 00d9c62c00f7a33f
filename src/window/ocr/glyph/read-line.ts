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
/** More than scores differ by the order in which they are added up. */
const ROUNDING = 1e-9;
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
  const ways = measuresOf(atoms).map((measure) => new Way(ink, owners, atoms, measure, network, isAmong));
  // What is looked at is always the way that may still become the best: wrong measures are given up after a few letters.
  let best = mostPromising(ways);
  while (best && !best.isWhole) {
    best.goOn();
    best = mostPromising(ways);
  }
  if (!best) return undefined;
  const line = { letters: best.letters(), measure: best.measure };
  addLooks(line, ink);
  return line;
}

/** The first one of the highest promise. */
const mostPromising = (ways: readonly Way[]): Way | undefined =>
  ways.reduce<Way | undefined>((best, way) => (best && best.promise >= way.promise ? best : way), undefined);

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

/** The most probable way to put the atoms together, from the first one on, where the digits are as high as one measure says. */
class Way {
  readonly measure: Measure;
  readonly #ink: Contrast;
  readonly #owners: Uint16Array;
  readonly #atoms: readonly Atom[];
  readonly #network: Network;
  readonly #isAmong: readonly boolean[];
  /** Best way to each atom. */
  readonly #ends: { score: number; from: number; letter?: SeenLetter }[] = [{ score: 0, from: 0 }];
  /** Least number of letters that the atoms from each one on are. */
  readonly #fewest: readonly number[];
  #promise: number | undefined;

  constructor(
    ink: Contrast,
    owners: Uint16Array,
    atoms: readonly Atom[],
    measure: Measure,
    network: Network,
    isAmong: readonly boolean[],
  ) {
    this.measure = measure;
    this.#ink = ink;
    this.#owners = owners;
    this.#atoms = atoms;
    this.#network = network;
    this.#isAmong = isAmong;
    const fewest = new Array<number>(atoms.length + 1).fill(0);
    for (let from = atoms.length - 1; from >= 0; from--) {
      const rest = atoms.slice(from, from + MOST_PARTS).flatMap((_, i) => {
        const to = from + i + 1;
        return this.#isLetter(atoms.slice(from, to)) ? (fewest[to] as number) : [];
      });
      fewest[from] = 1 + Math.min(...rest);
    }
    this.#fewest = fewest;
  }

  get isWhole(): boolean {
    return this.#ends.length > this.#atoms.length;
  }

  /** Its score, or what it can still become at most. */
  get promise(): number {
    this.#promise ??= this.isWhole
      ? (this.#ends.at(-1)?.score as number)
      : ROUNDING +
        Math.max(
          ...this.#ends.slice(-MOST_PARTS).map((end, i, { length }) => {
            const at = this.#ends.length - length + i;
            return end.score - EACH * (this.#fewest[at] as number);
          }),
        );
    return this.#promise;
  }

  /** To the next atom. */
  goOn(): void {
    const to = this.#ends.length;
    let best: { score: number; from: number; letter: SeenLetter } | undefined;
    for (let from = Math.max(0, to - MOST_PARTS); from < to; from++) {
      const own = this.#atoms.slice(from, to);
      if (!this.#isLetter(own)) continue;
      const found = this.#seen(own);
      let most = LEAST_PROBABILITY;
      for (let i = 0; i < found.length; i++)
        if (this.#isAmong[i] && (found[i] as number) > most) most = found[i] as number;
      const score = (this.#ends[from]?.score as number) + Math.log(most) - EACH;
      if (!best || score > best.score) best = { score, from, letter: { found, box: boxOf(own) } };
    }
    this.#ends.push(best as NonNullable<typeof best>);
    this.#promise = undefined;
  }

  /** Of a whole way. */
  letters(): SeenLetter[] {
    const letters: SeenLetter[] = [];
    for (let at = this.#atoms.length; at > 0; ) {
      const { from, letter } = this.#ends[at] as { from: number; letter: SeenLetter };
      const own = this.#atoms.slice(from, at);
      const holdsMark = mayHoldMark(letter, own, (atoms) => this.#seen(atoms));
      letters.unshift(holdsMark ? { ...letter, mayHoldMark: true } : letter);
      at = from;
    }
    return letters;
  }

  #seen(own: readonly Atom[]): Float32Array {
    const found = classify(this.#network, viewOf(this.#ink, this.#owners, own, this.measure));
    return isColon(own, this.measure) ? asColon(found) : found;
  }

  /** Whether these atoms may be one letter; a single one always may. */
  #isLetter(own: readonly Atom[]): boolean {
    if (own.length === 1) return true;
    const { x0, x1 } = boxOf(own);
    return x1 - x0 <= MOST_WIDE * this.measure.height;
  }
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
