import * as assert from 'uvu/assert';
import { suite } from '../../test-kit/suite.ts';
import { flat, paint } from '../../test-kit/window/pictures.ts';
import { colourComponents } from './components.ts';

const test = suite();

const labelAt = ({ label, width }: { label: Int32Array; width: number }, x: number, y: number) =>
  label[y * width + x];

test('equal neighbours are one component, with its box, area and largest square', () => {
  const pixels = paint(flat(60, 40, [255, 255, 255]), 10, 8, 30, 20, [0, 0, 200]);
  const components = colourComponents(pixels, 2);
  assert.is(components.count, 2);
  const inner = labelAt(components, 20, 15) as number;
  assert.equal(
    [components.x0[inner], components.y0[inner], components.x1[inner], components.y1[inner]],
    [10, 8, 40, 28],
  );
  assert.is(components.area[inner], 600);
  assert.is(components.square[inner], 20);
  assert.is(components.first[inner], 0x0000c8);
});

test('a slow gradient is one component, a step in it parts two', () => {
  const pixels = flat(40, 60, [0, 0, 0]);
  for (let y = 0; y < 60; y++) paint(pixels, 0, y, 40, 1, [100 + y, 100 + y, 200 - y]);
  assert.is(colourComponents(pixels, 2).count, 1);
  for (let y = 30; y < 60; y++) paint(pixels, 0, y, 40, 1, [120 + y, 100 + y, 200 - y]);
  assert.is(colourComponents(pixels, 2).count, 2);
});

test('arms that meet further down are one component', () => {
  const pixels = flat(50, 30, [255, 255, 255]);
  paint(pixels, 5, 5, 4, 20, [0, 0, 0]);
  paint(pixels, 35, 5, 4, 20, [0, 0, 0]);
  paint(pixels, 5, 25, 34, 3, [0, 0, 0]);
  const components = colourComponents(pixels, 2);
  assert.is(labelAt(components, 6, 6), labelAt(components, 36, 6));
  assert.is(components.count, 2);
});

test.run();
