import * as assert from 'uvu/assert';
import { suite } from '../../test-kit/suite.ts';
import type { Box } from './element.ts';
import { inReadingOrder } from './order.ts';
import { readingOrder, usualWork } from './reading.ts';

const test = suite('reading order');

type Named = [name: string, x: number, y: number, width: number, height: number];

const boxOf = ([, x, y, width, height]: Named): Box => ({ x0: x, y0: y, x1: x + width, y1: y + height });

/** Names in the order in which they are read, whatever the order in which they were found. */
function read(...boxes: Named[]): string {
  const orders = [boxes, boxes.toReversed()].map((found) =>
    readingOrder(found.map(boxOf))
      .map((i) => found[i]?.[0])
      .join(' '),
  );
  assert.is(orders[0], orders[1], 'the order depends on the order of detection');
  return String(orders[0]);
}

test('WIN-027 each value of a panel comes between its own name and its own unit', () => {
  const panel = read(
    ['Inlet', 40, 20, 44, 12],
    ['4.82', 40, 44, 110, 40],
    ['bar', 160, 70, 26, 14],
    ['Chamber', 300, 20, 70, 12],
    ['101.3', 300, 44, 130, 40],
    ['kPa', 440, 70, 26, 14],
    ['Outlet', 40, 150, 44, 12],
    ['0.3', 40, 174, 80, 40],
    ['bar', 130, 200, 26, 14],
    ['Room', 300, 150, 44, 12],
    ['21.5', 300, 174, 110, 40],
    ['°C', 420, 200, 20, 14],
  );
  assert.is(panel, 'Inlet 4.82 bar Chamber 101.3 kPa Outlet 0.3 bar Room 21.5 °C');
});

test('WIN-027 columns of which one begins or ends with lines that stand alone are read one after the other', () => {
  const column = (name: string, x: number, y: number): Named[] =>
    [0, 1, 2, 3].map((row) => [`${name}${row}`, x, y + row * 26, 120, 14]);
  for (const lower of [20, 34])
    assert.is(
      read(...column('L', 20, 20 + lower), ...column('R', 300, 20)),
      'L0 L1 L2 L3 R0 R1 R2 R3',
      `the left one is ${lower} px lower`,
    );
});

test('WIN-027 a name below its value belongs to it too', () => {
  const panel = read(
    ['4.82', 40, 20, 110, 40],
    ['Inlet', 70, 66, 44, 12],
    ['101.3', 300, 20, 130, 40],
    ['Chamber', 330, 66, 70, 12],
  );
  assert.is(panel, '4.82 Inlet 101.3 Chamber');
});

test('WIN-027 lines are not formed across a tall panel', () => {
  const screen = read(
    ['Title', 0, 0, 600, 20],
    ['a1', 0, 40, 100, 14],
    ['a2', 0, 70, 100, 14],
    ['a3', 0, 100, 100, 14],
    ['tall', 140, 40, 60, 260],
    ['b1', 240, 43, 100, 14],
    ['b2', 240, 68, 100, 14],
    ['b3', 240, 97, 100, 14],
    ['b4', 240, 126, 100, 14],
  );
  assert.is(screen, 'Title a1 a2 a3 tall b1 b2 b3 b4');
});

test('WIN-027 columns of text are read one after the other, tables and forms line by line', () => {
  const columns = read(
    ['header', 0, 0, 700, 30],
    ['n1', 0, 50, 90, 12],
    ['n2', 0, 75, 90, 12],
    ['n3', 0, 100, 90, 12],
    ['t1', 200, 44, 400, 14],
    ['t2', 200, 64, 400, 14],
    ['t3', 200, 84, 400, 14],
    ['t4', 200, 104, 400, 14],
    ['footer', 0, 150, 700, 20],
  );
  assert.is(columns, 'header n1 n2 n3 t1 t2 t3 t4 footer');
  const form = read(
    ['Name', 0, 10, 50, 12],
    ['field1', 200, 4, 180, 24],
    ['Age', 0, 44, 50, 12],
    ['field2', 200, 38, 180, 24],
  );
  assert.is(form, 'Name field1 Age field2');
  const table = read(
    ...['a', 'b', 'c'].flatMap((row, r) =>
      [1, 2, 3].map((column): Named => [`${row}${column}`, column * 200, r * 24, 60, 12]),
    ),
  );
  assert.is(table, 'a1 a2 a3 b1 b2 b3 c1 c2 c3');
});

test('WIN-027 what follows a table of many cells is read in its columns, and nothing is left unordered', () => {
  const cells = Array.from({ length: 300 }, (_, row) =>
    [0, 1, 2, 3].map((column): Named => [`r${row}c${column}`, column * 200, row * 12, 60, 8]),
  ).flat();
  const below = 300 * 12 + 60;
  const columns: Named[] = ['L', 'R'].flatMap((name, side) =>
    [0, 1, 2].map((line): Named => [`${name}${line}`, side * 430, below + line * 26 + side * 12, 390, 10]),
  );
  const boxes = [...cells, ...columns];
  const work = usualWork();
  const order = readingOrder(boxes.map(boxOf), work).map((i) => boxes[i]?.[0]);
  assert.equal(order, [...cells.map(([name]) => name), 'L0', 'L1', 'L2', 'R0', 'R1', 'R2']);
  assert.is(work.unordered, 0);
});

test('WIN-022 what is left when there are too many comparisons is counted', () => {
  const boxes = Array.from(
    { length: 60 },
    (_, i): Named => ['', (i % 3) * 200, Math.floor(i / 3) * 20, 60, 10],
  );
  const work = { left: 100, unordered: 0 };
  readingOrder(boxes.map(boxOf), work);
  assert.ok(work.unordered > 0);
});

test('WIN-027 what lies on one tile is read together, and the tile is no element', () => {
  const names = ['Flow', 'low', '12 l/min', 'Pressure', 'high', '7 mbar'];
  const elements = names.map((source, i) => {
    const [column, line] = [Math.floor(i / 3), i % 3];
    const box = boxOf(['', 20 + column * 130, 20 + line * 30, 80, 12]);
    return { role: 'text' as const, box, confidence: 1, color: '#000000', source };
  });
  const tiles = [boxOf(['', 10, 10, 120, 100]), boxOf(['', 140, 10, 120, 100])];
  const sources = (surfaces: Box[]) => inReadingOrder(elements, surfaces).map(({ source }) => source);
  assert.equal(sources(tiles), names);
  assert.equal(sources([]), ['Flow', 'Pressure', 'low', 'high', '12 l/min', '7 mbar']);
  assert.ok(inReadingOrder(elements, tiles).every(({ parent }) => parent === null));
});

test('WIN-034 boxes of columns that there was no more work for are counted as unordered, also where each stands alone in its row', () => {
  const boxes = Array.from({ length: 40 }, (_, i) => [
    { x0: 0, y0: i * 40, x1: 200, y1: i * 40 + 12 },
    { x0: 300, y0: i * 40 + 20, x1: 500, y1: i * 40 + 32 },
  ]).flat();
  const work = { left: boxes.length + 10, unordered: 0 };
  const order = readingOrder(boxes, work);
  assert.is.not(order.join(), readingOrder(boxes).join(), 'there was work for all');
  assert.ok(work.unordered > 0);
});

test.run();
