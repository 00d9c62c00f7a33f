import { areaOf, type Box, overlapOf, sharedArea } from '../../window/detect/element.ts';
import type { Screen, TruthBox, TruthItem } from './truth.ts';

/** What was found of one class, and how often. */
export interface Tally {
  found: number;
  all: number;
}

/** Counts of one screen, or of many. */
export interface Score {
  hits: number;
  /** Predictions that are no element and have no excuse. */
  wrong: number;
  missed: number;
  strictHits: number;
  strictWrong: number;
  strictMissed: number;
  classes: Map<string, Tally>;
  /** Of the texts that were found: those whose box begins and ends where the text does. */
  ends: Tally;
  /** Index of the each prediction that is a counted item, and that item; empty in a sum. */
  matches: { predicted: number; item: TruthItem }[];
  /** Index of each prediction that is `wrong`, and the items that were missed; empty in a sum. */
  false: number[];
  lost: TruthItem[];
}

/** Least IoU of a prediction and an element for the one to be the other. */
const FOUND = 0.5;
const COUNTED = new Set(['interactive', 'text']);
/** Pictures from this size on excuse what is found in them. Square pixels. */
const LEAST_PICTURE = 2500;
const INSIDE = 0.9;
const FIELDS = new Set(['input', 'select', 'textarea']);
/** A box that ends farther from its text has a letter too few or too many. Pixels. */
const END = 3;

/**
 * Compares predictions with a screen. Controls and texts count; labels and icons of controls, links in running text,
 * pictures, containers and what lies behind a modal are neither found nor false. The strict counts excuse nothing, and
 * want pictures too.
 */
export function scoreOf(screen: Screen, predicted: readonly Box[]): Score {
  const counted = screen.items.filter((item) => COUNTED.has(item.class));
  const others = screen.items.filter((item) => !COUNTED.has(item.class));
  const main = pairs(predicted, counted);
  const excused = (box: Box): boolean =>
    others.some((item) => fit(box, item) >= FOUND) ||
    screen.items.some(
      (item) => isExcuse(screen, item) && sharedArea(box, boxOf(item.box)) >= INSIDE * areaOf(box),
    );
  const strict = pairs(predicted, [...counted, ...others.filter((item) => item.class === 'graphic')]);
  const classes = new Map<string, Tally>();
  counted.forEach((item, i) => {
    const { found, all } = classes.get(item.class) ?? { found: 0, all: 0 };
    classes.set(item.class, { found: found + (main.items.has(i) ? 1 : 0), all: all + 1 });
  });
  const texts = [...main.pairs].filter(([, i]) => counted[i]?.class === 'text');
  const ends = texts.filter(([b, i]) => isEndedAlike(predicted[b] as Box, counted[i] as TruthItem));
  const wrong = predicted.flatMap((box, i) => (main.boxes.has(i) || excused(box) ? [] : [i]));
  const lost = counted.filter((_, i) => !main.items.has(i));
  return {
    hits: main.items.size,
    wrong: wrong.length,
    missed: lost.length,
    false: wrong,
    lost,
    strictHits: strict.items.size,
    strictWrong: predicted.length - strict.items.size,
    strictMissed:
      counted.length + others.filter((item) => item.class === 'graphic').length - strict.items.size,
    classes,
    ends: { found: ends.length, all: texts.length },
    matches: [...main.pairs].map(([predicted, i]) => ({ predicted, item: counted[i] as TruthItem })),
  };
}

/** Sum of the counts of many screens. */
export function sumOf(scores: readonly Score[]): Score {
  const sum: Score = {
    hits: 0,
    wrong: 0,
    missed: 0,
    strictHits: 0,
    strictWrong: 0,
    strictMissed: 0,
    classes: new Map(),
    ends: { found: 0, all: 0 },
    matches: [],
    false: [],
    lost: [],
  };
  for (const score of scores) {
    sum.ends.found += score.ends.found;
    sum.ends.all += score.ends.all;
    sum.hits += score.hits;
    sum.wrong += score.wrong;
    sum.missed += score.missed;
    sum.strictHits += score.strictHits;
    sum.strictWrong += score.strictWrong;
    sum.strictMissed += score.strictMissed;
    for (const [name, { found, all }] of score.classes) {
      const before = sum.classes.get(name) ?? { found: 0, all: 0 };
      sum.classes.set(name, { found: before.found + found, all: before.all + all });
    }
  }
  return sum;
}

/** Harmonic mean of precision and recall, 0..1. */
export function f1Of(hits: number, wrong: number, missed: number): number {
  return hits === 0 ? 0 : (2 * hits) / (2 * hits + wrong + missed);
}

/** One to one, the best fits first. */
function pairs(
  boxes: readonly Box[],
  items: readonly TruthItem[],
): { pairs: Map<number, number>; boxes: Set<number>; items: Set<number> } {
  const fits = boxes
    .flatMap((box, b) => items.map((item, i) => ({ b, i, value: fit(box, item) })))
    .filter(({ value }) => value >= FOUND)
    .sort((one, other) => other.value - one.value);
  const used = { pairs: new Map<number, number>(), boxes: new Set<number>(), items: new Set<number>() };
  for (const { b, i } of fits) {
    if (used.boxes.has(b) || used.items.has(i)) continue;
    used.pairs.set(b, i);
    used.boxes.add(b);
    used.items.add(i);
  }
  return used;
}

const boxOf = ({ x, y, width, height }: TruthBox): Box => ({ x0: x, y0: y, x1: x + width, y1: y + height });

const fit = (box: Box, { box: own, ink, alts = [] }: TruthItem): number =>
  Math.max(...[own, ...(ink ? [ink] : []), ...alts].map((one) => overlapOf(box, boxOf(one))));

const isEndedAlike = (box: Box, { box: own, ink, alts = [] }: TruthItem): boolean =>
  [own, ...(ink ? [ink] : []), ...alts].some(
    ({ x, width }) => Math.abs(box.x0 - x) <= END && Math.abs(box.x1 - x - width) <= END,
  );

/** Whether what lies inside it is excused: pictures, fields, and on a desktop all controls. */
function isExcuse({ isDesktop }: Screen, item: TruthItem): boolean {
  if (item.class.endsWith('graphic')) return item.box.width * item.box.height >= LEAST_PICTURE;
  return item.class === 'interactive' && (isDesktop || FIELDS.has(item.tag ?? ''));
}
