import { around, BoxIndex } from './box-index.ts';
import { colourDistance } from './colours.ts';
import { type ColourComponents, MOST_SQUARE } from './components.ts';
import { boxOf } from './ink.ts';

/** Strokes of at least so many pixels, and letters of more than so many, are else taken for surfaces and pictures. */
const THICK = 8;
const TALL = 72;
/** Others of the same type have thinner ones. */
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
/** Letters of one line: their strokes and heights by those of each other, and the widest gap between them by the height. */
const ALIKE_STROKE = 2;
const ALIKE_HEIGHT = 1.6;
const WIDEST_GAP = 0.8;
/** How far the middle of one may lie above or below the other, and how far one may reach into the box of the other. */
const BEYOND = 0.3;
const DEEPEST = 0.6;
const OTHER_COLOUR = 30;

/**
 * The colour components that are letters of large type: at least two beside each other of one colour, with strokes as thick as each
 * other's, that are no frames; and the plain strokes between them, such as an l, a minus and a point.
 *
 * @returns numbers of components
 */
export function largeLetters(components: ColourComponents): number[] {
  const { count, square } = components;
  const shaped: number[] = [];
  const all: number[] = [];
  for (let l = 0; l < count; l++) {
    const { width, height } = sizeOf(components, l);
    const stroke = square[l] as number;
    if (height > MOST_HEIGHT || width > MOST_WIDTH * MOST_HEIGHT) continue;
    // Of thicker ones the thickness is not known: they are grounds.
    if (stroke < LEAST_STROKE || stroke >= MOST_SQUARE) continue;
    if (stroke < THICK && (height < LEAST_HEIGHT || (stroke < NEARLY_THICK && height <= TALL))) continue;
    all.push(l);
    if (isShaped(components, l)) shaped.push(l);
  }
  if (shaped.length < 2) return [];
  const boxes = all.map((l) => boxOf(components, l));
  const index = new BoxIndex(boxes);
  const isShape = new Set(shaped);
  const beside = (letter: number, test: (other: number) => boolean): void => {
    const box = boxOf(components, letter);
    const height = box.y1 - box.y0;
    index.forEach(around(box, WIDEST_GAP * height, BEYOND * height), (i) => {
      const other = all[i] as number;
      if (other !== letter && test(other) && isBeside(components, letter, other)) found(other);
    });
  };
  const letters = new Set<number>();
  const waiting: number[] = [];
  const found = (l: number): void => {
    if (letters.has(l)) return;
    letters.add(l);
    waiting.push(l);
  };
  const heightOf = (l: number) => sizeOf(components, l).height;
  const isAsHigh = (one: number, other: number) => heightOf(one) <= ALIKE_HEIGHT * heightOf(other);
  for (const one of shaped)
    beside(one, (other) => isShape.has(other) && isAsHigh(one, other) && isAsHigh(other, one));
  for (let letter = waiting.pop(); letter !== undefined; letter = waiting.pop()) {
    const own = letter;
    beside(own, (other) => !letters.has(other) && isAsHigh(other, own));
  }
  return [...letters].sort((a, b) => a - b);
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

/** Whether two components may be of one line of one type. */
function isBeside(
  { square, first, x0, x1, y0, y1 }: ColourComponents,
  letter: number,
  other: number,
): boolean {
  const thickness = (square[letter] as number) / (square[other] as number);
  if (thickness > ALIKE_STROKE || thickness < 1 / ALIKE_STROKE) return false;
  const [top, foot] = [y0[letter] as number, y1[letter] as number];
  const height = foot - top;
  const middle = ((y0[other] as number) + (y1[other] as number)) / 2;
  if (middle < top - BEYOND * height || middle > foot + BEYOND * height) return false;
  const gap = Math.max(
    (x0[other] as number) - (x1[letter] as number),
    (x0[letter] as number) - (x1[other] as number),
  );
  if (gap > WIDEST_GAP * height || gap < -DEEPEST * height) return false;
  return colourDistance(first[letter] as number, first[other] as number) <= OTHER_COLOUR;
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
