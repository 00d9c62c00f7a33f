import * as assert from 'uvu/assert';
import { suite } from '../../test-kit/suite.ts';
import { f1Of, scoreOf, sumOf } from './score.ts';
import type { Screen, TruthItem } from './truth.ts';

const test = suite();

const item = (
  name: string,
  x: number,
  y: number,
  width: number,
  height: number,
  more: Partial<TruthItem> = {},
) => ({
  class: name,
  box: { x, y, width, height },
  ...more,
});
const screen = (items: TruthItem[], isDesktop = false): Screen => ({
  id: 'one',
  image: '',
  isDesktop,
  family: 'one',
  page: 'one',
  scale: 1,
  items,
});
const at = (x0: number, y0: number, x1: number, y1: number) => ({ x0, y0, x1, y1 });

test('a control and a text count once each, by box or by ink', () => {
  const items = [
    item('interactive', 0, 0, 100, 30),
    item('text', 0, 50, 100, 30, { ink: { x: 0, y: 60, width: 100, height: 10 } }),
  ];
  const score = scoreOf(screen(items), [at(0, 0, 100, 30), at(0, 0, 100, 25), at(0, 60, 100, 70)]);
  assert.equal([score.hits, score.wrong, score.missed], [2, 1, 0]);
  assert.equal(score.classes.get('text'), { found: 1, all: 1 });
});

test('an uncounted thing is neither found nor false, except in the strict counts', () => {
  const items = [item('interactive', 0, 0, 100, 30), item('inner-text', 10, 8, 50, 12)];
  const score = scoreOf(screen(items), [at(0, 0, 100, 30), at(10, 8, 60, 20)]);
  assert.equal([score.hits, score.wrong, score.missed], [1, 0, 0]);
  assert.equal([score.strictHits, score.strictWrong, score.strictMissed], [1, 1, 0]);
});

test('pictures are wanted by the strict counts, and excuse what lies in them when they are large', () => {
  const items = [item('graphic', 0, 0, 100, 100), item('graphic', 200, 0, 20, 20)];
  const score = scoreOf(screen(items), [at(10, 10, 40, 20), at(202, 2, 210, 10)]);
  assert.equal([score.hits, score.wrong, score.missed], [0, 1, 0]);
  assert.is(score.strictMissed, 2);
});

test('inside a text field, and inside any control of a desktop, nothing is false', () => {
  const items = [
    item('interactive', 0, 0, 200, 30, { tag: 'input' }),
    item('interactive', 0, 50, 200, 30, { tag: 'a' }),
  ];
  const boxes = [at(5, 5, 60, 20), at(5, 55, 60, 70)];
  assert.is(scoreOf(screen(items), boxes).wrong, 1);
  assert.is(scoreOf(screen(items, true), boxes).wrong, 0);
});

test('a text that was found is ended alike when its box ends within three pixels of it on both sides', () => {
  const items = [
    item('text', 0, 0, 100, 20),
    item('text', 0, 50, 100, 20, { ink: { x: 8, y: 52, width: 80, height: 14 } }),
  ];
  const ends = (...boxes: ReturnType<typeof at>[]) => scoreOf(screen(items), boxes).ends;
  assert.equal(ends(at(3, 0, 97, 20), at(8, 52, 88, 66)), { found: 2, all: 2 });
  assert.equal(ends(at(0, 0, 96, 20), at(12, 52, 88, 66)), { found: 0, all: 2 });
  assert.equal(ends(at(0, 0, 10, 20)), { found: 0, all: 0 });
  const sum = sumOf([
    scoreOf(screen(items), [at(0, 0, 100, 20)]),
    scoreOf(screen(items), [at(0, 0, 90, 20)]),
  ]);
  assert.equal(sum.ends, { found: 1, all: 2 });
});

test('sums add up, and F1 is the harmonic mean', () => {
  const one = scoreOf(screen([item('text', 0, 0, 50, 10)]), [at(0, 0, 50, 10)]);
  const two = scoreOf(screen([item('text', 0, 0, 50, 10)]), []);
  const sum = sumOf([one, two]);
  assert.equal([sum.hits, sum.missed, sum.classes.get('text')], [1, 1, { found: 1, all: 2 }]);
  assert.is(f1Of(3, 1, 1), 0.75);
  assert.is(f1Of(0, 0, 5), 0);
});

test.run();
