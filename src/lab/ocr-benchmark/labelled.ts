import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { type Box, overlapOf } from '../../window/detect/element.ts';

const box = z
  .object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() })
  .transform(({ x, y, width, height }) => ({ x0: x, y0: y, x1: x + width, y1: y + height }));

const item = z.object({
  class: z.string(),
  box,
  ink: box.optional(),
  alts: z.array(box).optional(),
  text: z.string().optional(),
});

const truth = z.object({ id: z.string(), items: z.array(item) });

type Item = z.infer<typeof item>;

/** A control or a line whose text the truth tells. */
export interface Labelled {
  /** Blanks are collapsed. */
  text: string;
  boxes: Box[];
  /** Why the truth's text cannot be that of this box alone; undefined: it can. */
  unfit: 'cut' | 'wrapped' | 'width' | undefined;
}

export interface LabelledScreen {
  id: string;
  image: string;
  items: Labelled[];
}

/** The truth cuts the text of a node here, characters. */
const CUT_AT = 60;
/** Ink of one character by the height of its line. What is outside holds the text of other lines, or a part of its own. */
const WIDTHS = [0.32, 0.75] as const;
/** Shorter texts do not wrap, and one letter is as narrow as it likes. */
const LEAST_JUDGED = 4;

/** The labelled items of the screens `<id>.png` with `<id>.gt.json` in a folder. @throws Error when there are none */
export function labelledScreens(folder: string): LabelledScreen[] {
  const names = readdirSync(folder)
    .filter((name) => name.endsWith('.gt.json'))
    .sort();
  if (names.length === 0)
    throw new Error(`${folder} holds no <id>.gt.json; name a folder of screens with their truth`);
  return names.map((name) => {
    const read = truth.safeParse(JSON.parse(readFileSync(join(folder, name), 'utf8')));
    if (!read.success) throw new Error(`${join(folder, name)}: ${z.prettifyError(read.error)}`);
    const { id, items } = read.data;
    return { id, image: join(folder, `${id}.png`), items: labelled(items) };
  });
}

/** Collapsed blanks. */
export const plain = (text: string): string => text.replace(/\s+/g, ' ').trim();

function labelled(items: readonly Item[]): Labelled[] {
  return items
    .filter(({ class: name, text = '' }) => (name === 'text' || name === 'interactive') && plain(text) !== '')
    .map((one) => ({
      text: plain(one.text ?? ''),
      boxes: [one.box, ...(one.ink ? [one.ink] : []), ...(one.alts ?? [])],
      unfit: whyUnfit(one, items),
    }));
}

/** Judged by the truth alone, so that a bad reading cannot excuse itself. */
function whyUnfit(one: Item, items: readonly Item[]): Labelled['unfit'] {
  const raw = one.text ?? '';
  const text = plain(raw);
  if (raw.length >= CUT_AT) return 'cut';
  // The text of a control that has a visible box lies somewhere in it.
  const lines =
    one.class === 'text' || one.ink
      ? [one]
      : items.filter((other) => other.class === 'inner-text' && isIn(other.box, one.box));
  const [line] = lines;
  if (!line || lines.length > 1 || plain(line.text ?? '') !== text) return 'wrapped';
  if (items.some((other) => other !== line && other.class === line.class && isNextLine(line, other)))
    return 'wrapped';
  const { x0, x1 } = line.ink ?? line.box;
  const width = (x1 - x0) / text.length / (line.box.y1 - line.box.y0);
  return text.length >= LEAST_JUDGED && (width < WIDTHS[0] || width > WIDTHS[1]) ? 'width' : undefined;
}

/** A wrapped block has its whole text on each of its lines. */
function isNextLine({ box: own, text = '' }: Item, { box: other, text: otherText = '' }: Item): boolean {
  if (plain(text) !== plain(otherText) || Math.min(own.x1, other.x1) <= Math.max(own.x0, other.x0))
    return false;
  return Math.max(own.y0, other.y0) - Math.min(own.y1, other.y1) < (own.y1 - own.y0) / 2;
}

const isIn = (inner: Box, outer: Box): boolean =>
  inner.x0 >= outer.x0 - 1 &&
  inner.y0 >= outer.y0 - 1 &&
  inner.x1 <= outer.x1 + 1 &&
  inner.y1 <= outer.y1 + 1;

/**
 * Whether a text was read exactly as it is shown: pages show small letters as capitals (CSS `text-transform`), and the truth
 * holds the small ones.
 */
export const isAsShown = (truth: string, read: string): boolean =>
  read === truth || (/\p{Lu}/u.test(read) && read === read.toUpperCase() && read === truth.toUpperCase());

/** Least IoU of a box and an item for the one to be the other. */
const FOUND = 0.5;

/** For each box the item that it shows, one to one, the best fits first. */
export function matched(boxes: readonly Box[], items: readonly Labelled[]): Map<number, Labelled> {
  const fits = boxes
    .flatMap((own, b) =>
      items.map((one) => ({ b, one, value: Math.max(...one.boxes.map((other) => overlapOf(own, other))) })),
    )
    .filter(({ value }) => value >= FOUND)
    .sort((a, b) => b.value - a.value);
  const found = new Map<number, Labelled>();
  const used = new Set<Labelled>();
  for (const { b, one } of fits) {
    if (found.has(b) || used.has(one)) continue;
    found.set(b, one);
    used.add(one);
  }
  return found;
}
