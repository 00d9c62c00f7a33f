import * as assert from 'uvu/assert';
import { suite } from '../../test-kit/suite.ts';
import { type Color, flat, paint } from '../../test-kit/window/pictures.ts';
import { frame, writeText } from '../../test-kit/window/write-text.ts';
import type { Pixels } from '../image/pixels.ts';
import { type Scene, sceneOf } from './candidates.ts';
import { edgesOf } from './row-edges.ts';
import { membersOf, type RowNode, rowNodes } from './rows.ts';

const test = suite();

const WHITE: Color = [255, 255, 255];
const INK: Color = [20, 20, 20];

const has = ({ rows }: Scene, x0: number, y0: number, x1: number, y1: number): boolean =>
  rows.some((row) => row.x0 === x0 && row.y0 === y0 && row.x1 === x1 && row.y1 === y1);

test('letters join to words before words join to a line', () => {
  const pixels = flat(400, 60, WHITE);
  const pump = writeText(pixels, 20, 20, 'PUMP', INK);
  const end = writeText(pixels, pump + 12, 20, 'STOPS', INK);
  const scene = sceneOf(pixels);
  assert.ok(has(scene, 20, 20, pump, 34), 'first word');
  assert.ok(has(scene, pump + 12, 20, end, 34), 'second word');
  assert.ok(has(scene, 20, 20, end, 34), 'line');
  const line = scene.rows.find((row) => row.x0 === 20 && row.x1 === end);
  assert.is(line?.gapInside, 12);
  assert.is(line?.parent, -1);
});

test('WIN-031 a line of more than 400 letters is one row, also where its letters stand apart alike', () => {
  const pixels = flat(2600, 60, WHITE);
  for (let x = 20; x < 2560; x += 5) paint(pixels, x, 20, 3, 12, INK);
  const { rows, overlooked } = sceneOf(pixels);
  const [line] = rows.filter(({ parent }) => parent < 0);
  assert.equal([line?.x0, line?.x1, line?.count], [20, 2558, 508]);
  assert.equal(membersOf(rows, line as RowNode).length, 508);
  assert.is(overlooked.rows, 0);
});

test('WIN-022 rows of a picture of nothing but long ones are joined as long as there is work left, and the rest is counted', () => {
  const pixels = flat(3000, 16, WHITE);
  for (let x = 20; x < 2980; x += 5) paint(pixels, x, 2, 3, 12, INK);
  const { ink } = sceneOf(pixels);
  const atoms = Array.from({ length: ink.count }, (_, l) => l);
  const found = (most: number) => rowNodes(ink, atoms, 16, { mostGap: 6, river: () => 0 }, most);
  const { nodes, unjoined } = found(2000);
  assert.ok(unjoined > 0);
  const long = nodes.filter(({ count }) => count > 400).reduce((sum, { count }) => sum + count, 0);
  assert.ok(long > 1000 && long <= 2000, `${long} components in long rows`);
  assert.is(found(1e9).unjoined, 0);
});

const rowsOf = (pixels: Pixels, most: number) => {
  const { ink } = sceneOf(pixels);
  const atoms = Array.from({ length: ink.count }, (_, l) => l);
  return rowNodes(ink, atoms, pixels.height, { mostGap: 6, river: () => 0 }, most);
};

test('WIN-022 a long row that is parted otherwise counts among the long ones too', () => {
  const pixels = flat(2700, 40, WHITE);
  for (let x = 40; x < 40 + 500 * 5; x += 5) paint(pixels, x, 10, 3, 12, INK);
  // One letter of another colour before them, and one behind at a wider gap.
  paint(pixels, 40 - 5 - 3, 10, 3, 12, [40, 110, 220]);
  paint(pixels, 40 + 499 * 5 + 3 + 6, 10, 3, 12, INK);
  const longOf = (most: number) =>
    rowsOf(pixels, most)
      .nodes.filter(({ count }) => count > 400)
      .map(({ count }) => count);
  const sum = (counts: readonly number[]) => counts.reduce((all, one) => all + one, 0);
  const all = longOf(1e9);
  assert.equal(all.slice(-3), [501, 501, 502]);
  assert.is(sum(longOf(sum(all))), sum(all));
  assert.ok(sum(longOf(sum(all) - 1)) < sum(all));
});

test('WIN-022 the parts of long rows that were not joined are counted, not the pairs of neighbours between them', () => {
  const pixels = flat(2700, 40, WHITE);
  for (let x = 40; x < 40 + 500 * 5; x += 5) paint(pixels, x, 10, 3, 12, INK);
  const { nodes, unjoined } = rowsOf(pixels, 2000);
  const roots = nodes.filter(({ parent }) => parent < 0);
  assert.is(roots.length, 2);
  assert.is(unjoined, 1);
});

test('WIN-022 of more pairs of neighbours than are looked at the rest is counted, and what was found stays', () => {
  const pixels = flat(3000, 16, WHITE);
  for (let x = 20; x < 2980; x += 5) paint(pixels, x, 2, 3, 12, INK);
  const { ink } = sceneOf(pixels);
  const atoms = Array.from({ length: ink.count }, (_, l) => l);
  const found = (most?: number) => edgesOf(ink, atoms, 16, { mostGap: 6, river: () => 0 }, most);
  const all = found();
  assert.is(all.crowded, 0);
  const { edges, crowded } = found(600);
  assert.is(edges.length, 600);
  assert.ok(crowded > 400 && crowded < atoms.length, `${crowded} of ${atoms.length}`);
  assert.equal(edges, all.edges.slice(0, 600));
});

test('WIN-022 of a picture of dots the rows beside them are found, and the dots left out are counted', () => {
  const [width, height] = [600, 400];
  const pixels = flat(width, height, WHITE);
  const end = writeText(pixels, 20, 20, 'PUMP', INK);
  let dots = 0;
  for (let y = 100; y < height - 20; y += 2)
    for (let x = 20; x < width - 20; x += 2, dots++) paint(pixels, x, y, 1, 1, INK);
  const scene = sceneOf(pixels);
  assert.ok(has(scene, 20, 20, end, 34));
  assert.is(scene.overlooked.crowded, dots);
  assert.ok(scene.rows.length < 10);
});

test('lines below each other never join', () => {
  const pixels = flat(300, 80, WHITE);
  writeText(pixels, 20, 20, 'PRESSURE', INK);
  writeText(pixels, 20, 38, 'VOLUME', INK);
  assert.ok(sceneOf(pixels).rows.every((row) => row.y1 - row.y0 === 14));
});

test('the dot of a letter joins it, the comma of the line above does not', () => {
  const pixels = flat(100, 60, WHITE);
  paint(pixels, 30, 10, 3, 3, INK);
  paint(pixels, 30, 16, 3, 12, INK);
  assert.ok(has(sceneOf(pixels), 30, 10, 33, 28), 'dot and stem');
  const lines = flat(100, 80, WHITE);
  const end = writeText(lines, 20, 10, 'IO', INK);
  paint(lines, end + 2, 22, 2, 5, INK);
  paint(lines, end + 2, 30, 3, 12, INK);
  assert.ok(
    sceneOf(lines).rows.every((row) => row.y1 <= 27 || row.y0 >= 30),
    'the comma stays above',
  );
});

test('WIN-029 a decimal point far from its digits does not join its number to the row below', () => {
  for (const apart of [5, 7, 9]) {
    const pixels = flat(300, 90, WHITE);
    const three = writeText(pixels, 20, 20, '3', INK, 3);
    paint(pixels, three + apart, 37, 4, 4, INK);
    writeText(pixels, three + 2 * apart + 4, 20, '1', INK, 3);
    writeText(pixels, 20, 46, '34043', INK, 3);
    assert.ok(
      sceneOf(pixels).rows.every((row) => row.y1 <= 41 || row.y0 >= 46),
      `${apart} pixels from its digits`,
    );
  }
});

test('an underscore joins the words beside it', () => {
  const pixels = flat(300, 60, WHITE);
  const pump = writeText(pixels, 20, 20, 'PUMP', INK);
  paint(pixels, pump + 1, 36, 9, 2, INK);
  const end = writeText(pixels, pump + 12, 20, 'STOP', INK);
  assert.ok(has(sceneOf(pixels), 20, 20, end, 38));
});

test('WIN-031 an underscore does not join its line to the one below, however close the lines stand', () => {
  for (const below of [38, 40, 42]) {
    const pixels = flat(300, 80, WHITE);
    const pump = writeText(pixels, 20, 20, 'PUMP', INK);
    paint(pixels, pump + 1, 35, 9, 2, INK);
    writeText(pixels, pump + 12, 20, 'STOP', INK);
    writeText(pixels, 20, below, 'PUMPSTOPPUMP', INK);
    assert.ok(
      sceneOf(pixels).rows.every((row) => row.y1 <= 37 || row.y0 >= below),
      `lines ${below - 34} pixels apart`,
    );
  }
});

test('WIN-031 an underscore does not join a bracket of the next line that reaches up to it', () => {
  const pixels = flat(300, 80, WHITE);
  const pump = writeText(pixels, 20, 20, 'PUMP', INK);
  paint(pixels, pump + 1, 35, 9, 2, INK);
  paint(pixels, pump + 13, 34, 2, 20, INK);
  writeText(pixels, pump + 18, 38, 'STOP', INK);
  assert.ok(sceneOf(pixels).rows.every((row) => row.y0 >= 34 || row.y1 <= 37));
});

test('columns with a gap that goes on join later than words with the same gap in one line', () => {
  const pixels = flat(500, 300, WHITE);
  const x = 20;
  for (let y = 20; y < 260; y += 24) {
    const type = writeText(pixels, x, y, 'VOID', INK);
    const word = writeText(pixels, type + 8, y, y % 48 === 20 ? 'GET' : 'START', INK);
    writeText(pixels, word + 8, y, 'FLOW', INK);
  }
  const scene = sceneOf(pixels);
  const type = writeText(flat(500, 40, WHITE), x, 0, 'VOID', INK);
  const name = scene.rows.filter((row) => row.x0 === type + 8 && row.y0 === 140 && row.x1 > type + 90);
  assert.is(name.length, 1, 'name and argument are one candidate without the type');
});

test('WIN-031 a value with a blank is a piece of its own, though a sign of another colour stands closer to it', () => {
  const pixels = flat(500, 60, WHITE);
  const name = writeText(pixels, 20, 20, 'TEXT', INK);
  const sign = name + 7 + 2;
  for (const y of [23, 31]) paint(pixels, name + 7, y, 2, 2, [128, 128, 128]);
  const value = writeText(pixels, sign + 7, 20, 'HALF', [0, 110, 0]);
  const end = writeText(pixels, value + 8, 20, 'MASK', [0, 110, 0]);
  const scene = sceneOf(pixels);
  assert.ok(has(scene, sign + 7, 20, end, 34), 'both words of the value');
  assert.ok(has(scene, name + 7, 20, end, 34) || has(scene, 20, 20, end, 34), 'and all of it');
});

test('WIN-031 points behind a word of small type are of its row: "Search for..."', () => {
  const pixels = flat(200, 60, WHITE);
  for (const x of [20, 28, 36]) paint(pixels, x, 33, 6, 7, INK);
  // The arm of an r reaches over the first point.
  paint(pixels, 44, 33, 2, 7, INK);
  paint(pixels, 44, 33, 4, 2, INK);
  for (const x of [48, 52, 56]) paint(pixels, x, 38, 2, 2, INK);
  const roots = sceneOf(pixels).rows.filter(({ parent }) => parent < 0);
  assert.equal(
    roots.map(({ x0, y0, x1, y1 }) => [x0, y0, x1, y1]),
    [[20, 33, 58, 40]],
  );
});

test('WIN-029 a number is never parted from its minus, and a word behind a dash is a word', () => {
  const drawn = (before: string | undefined, gap: number) => {
    const pixels = flat(300, 60, WHITE);
    const sign = 10 + (before ? writeText(pixels, 20, 20, before, INK) : 60);
    paint(pixels, sign, 26, 6, 2, INK);
    const end = writeText(pixels, sign + 6 + gap, 20, 'LOO', INK);
    const rows = sceneOf(pixels).candidates.filter(({ kind }) => kind === 'row');
    const has = (x0: number) => rows.some((row) => row.x0 === x0 && row.x1 === end);
    return { whole: has(sign), alone: has(sign + 6 + gap) };
  };
  assert.equal(drawn(undefined, 4), { whole: true, alone: false });
  assert.equal(drawn('TEXT', 4), { whole: true, alone: false }, 'behind a word, farther from it');
  assert.ok(drawn('TEXT', 10).alone, 'as far from both');
  assert.ok(drawn(undefined, 12).alone, 'far from it');
});

test('WIN-029 a line through large digits joins nothing with them', () => {
  const pixels = flat(700, 140, WHITE);
  for (const x of [300, 350]) {
    paint(pixels, x, 40, 40, 12, INK);
    paint(pixels, x + 28, 40, 12, 60, INK);
  }
  paint(pixels, 20, 70, 660, 1, INK);
  writeText(pixels, 30, 30, 'TEXT', INK);
  writeText(pixels, 600, 30, 'HALF', INK);
  const wide = sceneOf(pixels).rows.filter(({ x0, x1 }) => x1 - x0 > 300);
  assert.equal(wide, []);
});

test('where a row changes its colour it can also be parted there, though the gap is the narrower one', () => {
  const pixels = flat(500, 60, WHITE);
  const type = writeText(pixels, 20, 20, 'INT', [40, 110, 220]);
  const name = writeText(pixels, type + 6, 20, 'LEVEL', INK);
  const end = writeText(pixels, name + 9, 20, 'OF', INK);
  const scene = sceneOf(pixels);
  assert.ok(has(scene, type + 6, 20, end, 34), 'the name with what follows');
  assert.ok(has(scene, 22, 20, name, 34), 'and the type with the name');
  for (const [i, { parent }] of scene.rows.entries()) assert.ok(parent === -1 || parent > i);
  const other = scene.rows.find((row) => row.x0 === type + 6 && row.x1 === end);
  assert.is(scene.rows[other?.sibling ?? -1]?.x0, 22, 'what it leaves is its sibling');
  const plain = flat(500, 60, WHITE);
  writeText(plain, 20, 20, 'INT', INK);
  writeText(plain, type + 6, 20, 'LEVEL', INK);
  writeText(plain, name + 9, 20, 'OF', INK);
  assert.not.ok(has(sceneOf(plain), type + 6, 20, end, 34), 'not so in one colour');
});

test('two dots above each other that stand alone are a colon, others are not', () => {
  const dots = (gap: number): boolean => {
    const pixels = flat(200, 60, WHITE);
    paint(pixels, 60, 20, 2, 2, INK);
    paint(pixels, 60, 22 + gap, 2, 2, INK);
    const { candidates } = sceneOf(pixels);
    return candidates.some(
      ({ kind, x0, x1, y1 }) => kind === 'row' && x0 === 60 && x1 === 62 && y1 === 24 + gap,
    );
  };
  assert.ok(dots(5));
  assert.not.ok(dots(11));
});

test('a long word is never cut to the size of an icon', () => {
  const pixels = flat(400, 60, WHITE);
  const end = writeText(pixels, 20, 20, 'PRESSURE', INK);
  assert.ok(end - 20 > 64);
  const { clusters } = sceneOf(pixels);
  assert.equal(clusters, []);
});

test('WIN-031 letters that touch the border of a list or a field are letters of their rows', () => {
  const pixels = flat(400, 120, WHITE);
  frame(pixels, 20, 20, 160, 80, INK);
  const ends = [30, 50, 70].map((y) => writeText(pixels, 21, y, 'HAT', INK));
  writeText(pixels, 180, 50, 'STOP', INK);
  const scene = sceneOf(pixels);
  for (const [i, y] of [30, 50, 70].entries())
    assert.ok(has(scene, 21, y, ends[i] as number, y + 14), `row ${i}`);
  assert.ok(scene.rows.some((row) => row.x0 === 180 && row.y0 === 50 && row.y1 === 64));
  assert.ok(
    scene.candidates.some(
      ({ kind, x0, y0, x1, y1 }) => kind === 'frame' && x0 === 20 && y0 === 20 && x1 === 180 && y1 === 100,
    ),
    'the border alone',
  );
});

test.run();
