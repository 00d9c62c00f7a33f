import * as assert from 'uvu/assert';
import { seededRandom } from '../../lib/random/seeded-random.ts';
import { suite } from '../../test-kit/suite.ts';
import { type Color, flat, paint } from '../../test-kit/window/pictures.ts';
import { markBorders } from './attached-letters.ts';
import { BoxIndex } from './box-index.ts';
import type { Candidate } from './candidates.ts';
import { clusterNodes } from './clusters.ts';
import { colourComponents } from './components.ts';
import { containmentOf } from './containment.ts';
import { contextOf } from './context.ts';
import { displaysAmong } from './displays.ts';
import { type Box, sharedArea } from './element.ts';
import { type Ink, inkMask, inkOf, isSurface } from './ink.ts';
import { inReadingOrder } from './order.ts';
import { readingOrder } from './reading.ts';
import { select } from './select.ts';

const test = suite('work');
const BLACK: Color = [0, 0, 0];
const SIDE = 12;

/** Boxes beside and below each other, each of which counts how often one of its edges is read. */
function countingBoxes(
  columns: number,
  rows: number,
  apart = SIDE,
): { boxes: Candidate[]; reads: () => number } {
  let reads = 0;
  const boxes = Array.from({ length: columns * rows }, (_, i) => {
    const [x, y] = [(i % columns) * apart, Math.floor(i / columns) * SIDE];
    const get = (value: number) => () => {
      reads++;
      return value;
    };
    const edge = (value: number) => ({ enumerable: true, get: get(value) });
    return Object.defineProperties({ kind: 'box', surface: -1, index: i } as Candidate, {
      x0: edge(x),
      y0: edge(y),
      x1: edge(x + SIDE - 2),
      y1: edge(y + SIDE - 2),
    });
  });
  return { boxes, reads: () => reads };
}

/** How many times the work grows when there are four times as many boxes: 4 when each has its share, 16 when each meets each. */
function growth(work: (boxes: Candidate[]) => unknown): number {
  const [few, many] = [countingBoxes(20, 20), countingBoxes(40, 40)];
  work(few.boxes);
  work(many.boxes);
  return many.reads() / few.reads();
}

const MOST_GROWTH = 6.5;

const steps: Record<string, (boxes: Candidate[]) => unknown> = {
  'which box lies in which': (boxes) => containmentOf(boxes, [...boxes.keys()]),
  'the choice of elements': (boxes) => select(boxes, new Float32Array(boxes.length).fill(0.9)),
  'how neighbours were judged': (boxes) =>
    contextOf({ candidates: boxes, rows: [] }, new Float32Array(boxes.length).fill(0.9), [...boxes.keys()]),
  'parents and reading order': (boxes) =>
    inReadingOrder(
      boxes.map((box) => ({ role: 'button', box, confidence: 1, color: '#000000', source: 'box' })),
      boxes,
    ),
};

for (const [name, work] of Object.entries(steps))
  test(`WIN-022 ${name} takes work by the number of boxes and not by its square`, () => {
    const times = growth(work);
    assert.ok(times < MOST_GROWTH, `four times the boxes, ${times.toFixed(1)} times the work`);
  });

test('WIN-022 icons are put together with work by the number of strokes and not by its square', () => {
  const times = growth((boxes) => {
    const column = (edge: 'x0' | 'y0' | 'x1' | 'y1') =>
      new Proxy(new Int32Array(0), { get: (_, l) => boxes[Number(l)]?.[edge] });
    const ink = {
      x0: column('x0'),
      y0: column('y0'),
      x1: column('x1'),
      y1: column('y1'),
      area: column('x1'),
    };
    return clusterNodes(ink as unknown as Ink, [...boxes.keys()]);
  });
  assert.ok(times < MOST_GROWTH, `${times.toFixed(1)} times the work`);
});

test('WIN-022 reading order of a long table ends after its share of comparisons', () => {
  const { boxes } = countingBoxes(5, 200, 40);
  const work = { left: 20_000, unordered: 0 };
  const order = readingOrder(boxes, work);
  assert.equal(new Set(order).size, boxes.length);
  assert.equal(order.slice(0, 6), [0, 1, 2, 3, 4, 5]);
  assert.ok(work.left > -3 * boxes.length, `${-work.left} comparisons more`);
});

test('WIN-027 the order of a table takes work by its cells and its lines, not by the cube of its lines', () => {
  const needed = (lines: number): number => {
    const boxes: Box[] = Array.from({ length: 5 * lines }, (_, i) => {
      const [x0, y0] = [(i % 5) * 60, Math.floor(i / 5) * SIDE];
      return { x0, y0, x1: x0 + SIDE, y1: y0 + SIDE - 2 };
    });
    const work = { left: 1e9, unordered: 0 };
    readingOrder(boxes, work);
    return 1e9 - work.left;
  };
  assert.ok(needed(200) < 400_000, `${needed(200)} steps for 1,000 cells`);
  assert.ok(needed(400) < 4.2 * needed(200));
});

test('WIN-022 slanting strokes whose boxes lie over each other are not each looked at pixel by pixel', () => {
  const [width, height] = [400, 300];
  const picture = flat(width, height, [255, 255, 255]);
  for (let x = -270; x < width; x += 18)
    for (let y = Math.max(0, -x); y < Math.min(height, width - x); y++) paint(picture, x + y, y, 1, 1, BLACK);
  const components = colourComponents(picture, 2);
  const surface = Uint8Array.from({ length: components.count }, (_, l) => (isSurface(components, l) ? 1 : 0));
  const mask = inkMask(components, surface);
  const ink = inkOf(components, surface, mask);
  let reads = 0;
  const label = new Proxy(ink.label, {
    get: (own, key) => {
      reads++;
      return Reflect.get(own, key);
    },
  });
  assert.ok(ink.count > 30, `${ink.count} strokes`);
  assert.equal(markBorders({ ...ink, label }, width, mask).isAny, false);
  assert.ok(reads <= 5 * width * height, `${reads} reads of ${width * height} pixels`);
});

test('WIN-022 of surfaces that lie over each other only some are looked at for digits, the smallest', () => {
  const stripes: Box[] = Array.from({ length: 200 }, (_, i) => ({ x0: i, y0: i, x1: i + 600, y1: i + 200 }));
  const display: Box = { x0: 10, y0: 10, x1: 90, y1: 40 };
  const { chosen, left } = displaysAmong([...stripes, display], 10 * 600 * 200);
  assert.is(chosen.length, 10);
  assert.is(left, 191);
  assert.ok(chosen.includes(display));
});

test('WIN-022 long flat boxes, and long narrow ones, meet only those of their own lines', () => {
  const count = 400;
  const lying: Box[] = Array.from({ length: count }, (_, i) => ({
    x0: 0,
    y0: 8 * i,
    x1: 3000,
    y1: 8 * i + 4,
  }));
  const standing = lying.map(({ x0, y0, x1, y1 }) => ({ x0: y0, y0: x0, x1: y1, y1: x1 }));
  for (const boxes of [lying, standing]) {
    const index = new BoxIndex(boxes);
    let met = 0;
    for (const box of boxes) index.forEach(box, () => met++);
    assert.ok(met <= 8 * count, `${count} boxes meet ${met}`);
  }
});

test('boxes near an area are those that comparing each finds', () => {
  const random = seededRandom(7);
  const whole = (to: number) => Math.floor(random() * to);
  const boxes: Box[] = Array.from({ length: 300 }, () => {
    const [x0, y0] = [whole(900), whole(700)];
    return { x0, y0, x1: x0 + 1 + whole(random() < 0.2 ? 600 : 40), y1: y0 + 1 + whole(60) };
  });
  const index = new BoxIndex(boxes);
  for (const area of boxes) {
    const found: number[] = [];
    const seen: number[] = [];
    index.forEach(area, (i) => {
      seen.push(i);
      if (sharedArea(area, boxes[i] as Box) > 0) found.push(i);
    });
    const all = [...boxes.keys()].filter((i) => sharedArea(area, boxes[i] as Box) > 0);
    assert.equal(
      found.sort((a, b) => a - b),
      all,
    );
    assert.equal(new Set(seen).size, seen.length);
  }
});

test.run();
