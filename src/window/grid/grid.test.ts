import * as assert from 'uvu/assert';
import { suite } from '../../test-kit/suite.ts';
import { flat, motley, paint } from '../../test-kit/window/pictures.ts';
import { cellsOf } from './cells.ts';
import { gridLayers } from './grid-layers.ts';
import { mergedCells } from './merge-cells.ts';

const test = suite('grid');

test('WIN-016 regions cover every pixel once, for every grid from 2 to 64 and odd sizes', () => {
  for (const [width, height] of [
    [127, 83],
    [64, 64],
    [31, 200],
    [3, 5],
  ] as const) {
    const pixels = paint(motley(width, height), 0, 0, width >> 1, height >> 1, [9, 9, 9]);
    for (let grid = 2; grid <= 64; grid++) {
      const covered = new Uint8Array(width * height);
      for (const { box } of mergedCells(cellsOf(pixels, grid)))
        for (let y = box.y0; y < box.y1; y++)
          for (let x = box.x0; x < box.x1; x++) covered[y * width + x] = (covered[y * width + x] ?? 0) + 1;
      assert.ok(
        covered.every((times) => times === 1),
        `${width} x ${height}, grid ${grid}`,
      );
    }
  }
});

test('equal neighbours become one rectangle, others do not', () => {
  const pixels = paint(flat(40, 40, [255, 255, 255]), 10, 10, 20, 20, [255, 0, 0]);
  const regions = mergedCells(cellsOf(pixels, 4));
  assert.is(regions.length, 5);
  assert.equal(regions.find(({ color }) => color === '#FF0000')?.box, { x0: 10, y0: 10, x1: 30, y1: 30 });
  assert.is(mergedCells(cellsOf(flat(41, 37, [1, 2, 3]), 12)).length, 1);
});

test('the cells are a layer of their own when they are asked for', () => {
  assert.equal(
    gridLayers(motley(50, 50), 5, false).map(({ id }) => id),
    ['screen_regions'],
  );
  const [, cells] = gridLayers(motley(50, 50), 5, true);
  assert.equal([cells?.id, cells?.objects.length], ['grid', 25]);
});

test.run();
