import * as assert from 'uvu/assert';
import { seededRandom } from '../../lib/random/seeded-random.ts';
import { suite } from '../../test-kit/suite.ts';
import type { Candidate } from './candidates.ts';
import { overlapOf, sharedArea } from './element.ts';
import { inReadingOrder } from './order.ts';
import { select } from './select.ts';

const test = suite();

const at = (x0: number, y0: number, x1: number, y1: number): Candidate => ({
  kind: 'row',
  x0,
  y0,
  x1,
  y1,
  surface: 0,
  index: 0,
});

const sorted = (chosen: readonly number[]) => [...chosen].sort((a, b) => a - b);

test('a likely whole is chosen and drops its parts', () => {
  const line = [at(0, 0, 100, 10), at(0, 0, 45, 10), at(50, 0, 100, 10)];
  assert.equal(select(line, Float32Array.of(0.95, 0.5, 0.5)), [0]);
});

test('likely parts are chosen instead of an unlikely whole', () => {
  const line = [at(0, 0, 100, 10), at(0, 0, 45, 10), at(50, 0, 100, 10)];
  assert.equal(sorted(select(line, Float32Array.of(0.5, 0.9, 0.9))), [1, 2]);
});

test('what is unlikely is left out, also when nothing else is there', () => {
  assert.equal(select([at(0, 0, 100, 10)], Float32Array.of(0.2)), []);
});

test('WIN-029 a picture and the readings in it are chosen, what is unlikely in it is not', () => {
  const gauge: Candidate = { ...at(0, 0, 100, 100), kind: 'blob' };
  const boxes = [gauge, at(40, 70, 60, 80), at(10, 50, 20, 60), at(200, 0, 250, 10)];
  assert.equal(sorted(select(boxes, Float32Array.of(0.9, 0.6, 0.3, 0.8))), [0, 1, 3]);
});

test('WIN-029 lines of text one below the other are chosen instead of the strokes of both', () => {
  const strokes: Candidate = { ...at(0, 0, 40, 20), kind: 'cluster' };
  const boxes = [strokes, at(20, 0, 40, 8), at(0, 11, 40, 20)];
  assert.equal(sorted(select(boxes, Float32Array.of(0.9, 0.3, 0.5))), [1, 2]);
  assert.equal(sorted(select(boxes, Float32Array.of(0.9, 0.1, 0.5))), [0]);
});

test('WIN-028 whether strokes are lines of text does not depend on where they lie', () => {
  const found = Array.from({ length: 140 }, (_, i) => {
    const place = (x0: number, y0: number, x1: number, y1: number) => at(x0 + 30, y0 + i, x1 + 30, y1 + i);
    const strokes: Candidate = { ...place(0, 0, 40, 20), kind: 'cluster' };
    const across = place(0, 4, 40, 16);
    return select(
      [strokes, across, place(20, 0, 40, 8), place(0, 11, 40, 20)],
      Float32Array.of(0.9, 0.5, 0.3, 0.4),
    ).join();
  });
  assert.equal([...new Set(found)], ['1']);
});

test('WIN-006 of many random boxes no two that were chosen are the same or lie in each other', () => {
  const random = seededRandom(5);
  const whole = (most: number) => Math.floor(random() * most);
  const boxes = Array.from({ length: 400 }, () => {
    const [x, y] = [whole(400), whole(300)];
    return at(x, y, x + 5 + whole(120), y + 5 + whole(60));
  });
  const chosen = select(
    boxes,
    Float32Array.from(boxes, () => random()),
  ).map((i) => boxes[i] as Candidate);
  assert.ok(chosen.length > 5);
  chosen.forEach((one, i) => {
    for (const other of chosen.slice(i + 1)) {
      assert.ok(overlapOf(one, other) <= 0.85);
      const smaller = Math.min(
        (one.x1 - one.x0) * (one.y1 - one.y0),
        (other.x1 - other.x0) * (other.y1 - other.y0),
      );
      assert.ok(sharedArea(one, other) < 0.4 * smaller);
    }
  });
});

test('WIN-006 elements come in reading order, each after its parent', () => {
  const element = (name: string, x0: number, y0: number, x1: number, y1: number) => ({
    role: 'text' as const,
    box: { x0, y0, x1, y1 },
    confidence: 1,
    color: '#000000',
    source: name,
  });
  const ordered = inReadingOrder([
    element('right of first line', 200, 11, 260, 21),
    element('outside below', 0, 300, 50, 310),
    element('second line', 10, 40, 60, 50),
    element('panel', 5, 5, 290, 60),
    element('left of first line', 10, 10, 60, 22),
  ]);
  assert.equal(
    ordered.map(({ source, parent }) => [source, parent]),
    [
      ['panel', null],
      ['left of first line', 0],
      ['right of first line', 0],
      ['second line', 0],
      ['outside below', null],
    ],
  );
});

test('ink that lies in nothing chosen needs less to be an element, a surface does not', () => {
  const alone = [at(0, 0, 100, 10), at(0, 40, 60, 50), { ...at(0, 80, 60, 99), kind: 'box' as const }];
  assert.equal(sorted(select(alone, Float32Array.of(0.9, 0.32, 0.32))), [0, 1]);
  const inside = [at(0, 0, 100, 10), at(0, 0, 40, 10)];
  assert.equal(select(inside, Float32Array.of(0.9, 0.32)), [0]);
  assert.equal(select([at(0, 0, 60, 10)], Float32Array.of(0.2)), [], 'but not nothing at all');
});

test.run();
