import * as assert from 'uvu/assert';
import { suite } from '../../test-kit/suite.ts';
import { flat } from '../../test-kit/window/pictures.ts';
import { writeText } from '../../test-kit/window/write-text.ts';
import { inkBox, labelsOf } from './labels.ts';
import { worthOf } from './learn.ts';

const test = suite();

test('the ink of a line box is what is written in it', () => {
  const pixels = flat(200, 60, [250, 250, 250]);
  const end = writeText(pixels, 20, 20, 'FLOW', [0, 0, 0]);
  assert.equal(inkBox(pixels, { x0: 10, y0: 10, x1: 190, y1: 50 }), { x0: 20, y0: 20, x1: end, y1: 34 });
  const empty = { x0: 100, y0: 0, x1: 190, y1: 10 };
  assert.equal(inkBox(pixels, empty), empty);
});

test('a candidate is compared with controls, texts and pictures, by box or ink, and with nothing else', () => {
  const { overlap, element } = labelsOf(
    [
      { x0: 20, y0: 20, x1: 66, y1: 34 },
      { x0: 200, y0: 20, x1: 250, y1: 40 },
    ],
    [
      { class: 'container', box: { x: 200, y: 20, width: 50, height: 20 } },
      {
        class: 'text',
        box: { x: 10, y: 8, width: 120, height: 40 },
        ink: { x: 20, y: 20, width: 46, height: 14 },
      },
    ],
  );
  assert.equal([...overlap], [1, 0]);
  assert.equal([...element], [1, -1]);
});

test('the closer a candidate fits the more it is worth, and nothing when it would not count', () => {
  assert.is(worthOf(0.39), 0);
  assert.ok(worthOf(0.6) > worthOf(0.5));
  assert.ok(worthOf(0.9) > worthOf(0.6));
  assert.is(worthOf(0.99), 1);
});

test.run();
