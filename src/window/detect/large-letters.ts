import { around, BoxIndex } from './box-index.ts';
import { colourDistance } from './colours.ts';
import { type ColourComponents, MOST_SQUARE } from './components.ts';
import type { Box } from './element.ts';
import { boxOf, isSurface, LEAST_SQUARE, TALLEST_GLYPH } from './ink.ts';
import { isInside } from './surroundings.ts';

/** Letters of large type may have strokes thinner than a surface has. Pixels. */
const NEARLY_THICK = 5;
const LEAST_STROKE = 3;
/** Heights of what may be a letter of large type, pixels. */
const LEAST_HEIGHT = 20;
const MOST_HEIGHT = 240;
/** By its height: the thickest stroke of a bold letter, and the widest letter. */
const MOST_STROKE = 0.4;
const MOST_WIDTH = 1.5;
/** By the area of its box. */
const LEAST_FILLED = 0.08;
const MOST_FILLED = 0.75;
/** By the length of the outline of its box: how much of that a letter touches. A frame or a ground touches all of it. */
const MOST_TOUCHED = 0.72;
/** Letters of one line: heights by each other, the widest gap between them by the height, and strokes: a slash or a sign has thinner ones. */
const ALIKE_HEIGHT = 1.6;
const WIDEST_GAP = 0.8;
const ALIKE_STROKE = { thinner: 2.7, thicker: 2 };
/** How far the middle of one may lie above or below the other, and how far one may reach into the box of the other. */
const BEYOND = 0.3;
const DEEPEST = 0.6;
const OTHER_COLOUR = 30;
/** A plain stroke or a point among letters: its thickness by their strokes, its length by their height, and the ink of its box. */
const PLAIN = { thick: 1.4, high: 1.6, wide: 0.9, filled: 0.7 };
/** Another sign among them, such as a degree: its width by their height, its strokes by theirs. */
const SIGN = { wide: 1.2, thick: 1.3 };
/** What lies farther inside a letter than so many of its strokes: a gauge has its value there. Its least area, square pixels. */
const INSIDE = { strokes: 1.5, area: 16 };

/**
 * The colour components that are letters of large type: at least two beside each other of one colour, with strokes as thick as each
 * other's, that are no frames and hold nothing; and the plain strokes between them, such as an l, a minus and a point.
 *
 * @returns numbers of components
 */
export function largeLetters(components: ColourComponents): number[] {
  const { count, square } = components;
  const possible: number[] = [];
  for (let l = 0; l < count; l++) {
    const { width, height } = sizeOf(components, l);
    const stroke = square[l] as number;
    if (height > MOST_HEIGHT || width > MOST_WIDTH * MOST_HEIGHT) continue;
    // Of thicker ones the thickness is not known: they are grounds.
    if (stroke < LEAST_STROKE || stroke >= MOST_SQUARE) continue;
    const isThin = stroke < NEARLY_THICK && height <= TALLEST_GLYPH;
    if (stroke < LEAST_SQUARE && !isSurface(components, l) && (height < LEAST_HEIGHT || isThin)) continue;
    possible.push(l);
  }
  const isShape = withoutHolders(
    components,
    possible.filter((l) => isShaped(components, l)),
  );
  if (isShape.size < 2) return [];
  const index = new BoxIndex(possible.map((l) => boxOf(components, l)));
  const heightOf = (l: number) => sizeOf(components, l).height;
  const isAsHigh = (one: number, other: number) => heightOf(one) <= ALIKE_HEIGHT * heightOf(other);
  /** Of each letter the one whose height counts: a point and a minus are as low as they are. */
  const typeOf = new Map<number, number>();
  const waiting: number[] = [];
  const take = (l: number, type: number): void => {
    if (typeOf.has(l)) return;
    typeOf.set(l, isShape.has(l) && isAsHigh(type, l) ? l : type);
    waiting.push(l);
  };
  const beside = (letter: number, type: number, test: (other: number) => boolean): void => {
    const { y0, y1 } = boxOf(components, type);
    const box = { ...boxOf(components, letter), y0, y1 };
    index.forEach(around(box, WIDEST_GAP * (y1 - y0), BEYOND * (y1 - y0)), (i) => {
      const other = possible[i] as number;
      if (other === letter || !test(other) || !isInLine(components, box, other)) return;
      if ([letter, type].some((one) => isAlike(components, one, other))) take(other, type);
    });
  };
  for (const one of isShape)
    beside(one, one, (other) => isShape.has(other) && isAsHigh(one, other) && isAsHigh(other, one));
  for (let letter = waiting.pop(); letter !== undefined; letter = waiting.pop()) {
    const type = typeOf.get(letter) as number;
    beside(
      letter,
      type,
      (other) =>
        !typeOf.has(other) &&
        isAsHigh(other, type) &&
        (isShape.has(other) || isPlain(components, type, other)),
    );
  }
  return [...typeOf.keys()].sort((a, b) => a - b);
}

/** Those that hold nothing: a ring with a value in it is a gauge. */
function withoutHolders(components: ColourComponents, shaped: readonly number[]): Set<number> {
  if (shaped.length < 2) return new Set();
  const pieces: number[] = [];
  for (let l = 0; l < components.count; l++)
    if ((components.area[l] as number) >= INSIDE.area) pieces.push(l);
  const boxes = pieces.map((l) => boxOf(components, l));
  const index = new BoxIndex(boxes);
  return new Set(
    shaped.filter((l) => {
      const inner = around(boxOf(components, l), -INSIDE.strokes * (components.square[l] as number));
      if (inner.x1 <= inner.x0 || inner.y1 <= inner.y0) return true;
      return !index.some(inner, (i) => isInside(boxes[i] as Box, inner));
    }),
  );
}

const sizeOf = ({ x0, y0, x1, y1 }: ColourComponents, l: number) => ({
  width: (x1[l] as number) - (x0[l] as number),
  height: (y1[l] as number) - (y0[l] as number),
});

/** Strokes that bend, cross or branch: no bar, no tile, no frame. */
function isShaped(components: ColourComponents, l: number): boolean {
  const { width, height } = sizeOf(components, l);
  const filled = (components.area[l] as number) / (width * height);
  return (
    height >= LEAST_HEIGHT &&
    (components.square[l] as number) <= MOST_STROKE * height &&
    width <= MOST_WIDTH * height &&
    filled >= LEAST_FILLED &&
    filled <= MOST_FILLED &&
    touchedOf(components, l) <= MOST_TOUCHED
  );
}

/** A stroke or a point without a bend, or a sign with one, beside letters of a type: no button, no bar. */
function isPlain(components: ColourComponents, type: number, l: number): boolean {
  const { width, height } = sizeOf(components, l);
  const own = sizeOf(components, type).height;
  const stroke = components.square[type] as number;
  const filled = (components.area[l] as number) / (width * height);
  if (height > PLAIN.high * own) return false;
  if (Math.min(width, height) <= PLAIN.thick * stroke && filled >= PLAIN.filled)
    return width <= height || width <= PLAIN.wide * own;
  return (
    filled < MOST_FILLED &&
    width <= SIGN.wide * own &&
    (components.square[l] as number) <= SIGN.thick * stroke
  );
}

/** Whether the strokes of two components may be of one type, and have one colour. */
function isAlike({ square, first }: ColourComponents, letter: number, other: number): boolean {
  const thickness = (square[letter] as number) / (square[other] as number);
  if (thickness > ALIKE_STROKE.thinner || thickness < 1 / ALIKE_STROKE.thicker) return false;
  return colourDistance(first[letter] as number, first[other] as number) <= OTHER_COLOUR;
}

/** Whether a component stands in the line of a letter, beside it. @param box of the letter, as high as its type */
function isInLine(components: ColourComponents, box: Box, other: number): boolean {
  const { x0, y0, x1, y1 } = boxOf(components, other);
  const height = box.y1 - box.y0;
  const middle = (y0 + y1) / 2;
  if (middle < box.y0 - BEYOND * height || middle > box.y1 + BEYOND * height) return false;
  const gap = Math.max(x0 - box.x1, box.x0 - x1);
  return gap <= WIDEST_GAP * height && gap >= -DEEPEST * height;
}

/** Share of the outline of its box that a component touches. */
function touchedOf({ label, width, x0, x1, y0, y1 }: ColourComponents, l: number): number {
  const [left, right, top, bottom] = [
    x0[l] as number,
    (x1[l] as number) - 1,
    y0[l] as number,
    (y1[l] as number) - 1,
  ];
  let touched = 0;
  for (let x = left; x <= right; x++)
    touched += Number(label[top * width + x] === l) + Number(label[bottom * width + x] === l);
  for (let y = top; y <= bottom; y++)
    touched += Number(label[y * width + left] === l) + Number(label[y * width + right] === l);
  return touched / (2 * (right - left + bottom - top + 2));
}
