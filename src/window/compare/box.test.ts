import * as assert from 'uvu/assert';
import { seededRandom } from '../../lib/random/seeded-random.ts';
import { suite } from '../../test-kit/suite.ts';
import { type Box, joinedBoxes, union } from './box.ts';

const test = suite('boxes of changes');

test('WIN-010 boxes nearer than the gaps are joined until none is near another', () => {
  const random = seededRandom(3);
  const whole = (to: number) => Math.floor(random() * to);
  for (let round = 0; round < 30; round++) {
    const boxes: Box[] = Array.from({ length: 60 }, () => {
      const [x0, y0] = [whole(800), whole(600)];
      return { x0, y0, x1: x0 + 4 + whole(40), y1: y0 + 4 + whole(20) };
    });
    const isNear = (a: Box, b: Box) =>
      a.x0 - b.x1 < 12 && b.x0 - a.x1 < 12 && a.y0 - b.y1 < 6 && b.y0 - a.y1 < 6;
    const slow = [...boxes];
    for (let i = 0; i < slow.length; i++) {
      const j = slow.findIndex((other, k) => k !== i && isNear(slow[i] as Box, other));
      if (j < 0) continue;
      slow.push(union(slow[i] as Box, slow[j] as Box));
      for (const k of [i, j].sort((a, b) => b - a)) slow.splice(k, 1);
      i = -1;
    }
    slow.sort((a, b) => a.y0 - b.y0 || a.x0 - b.x0);
    assert.equal(joinedBoxes(boxes, 12, 6), slow);
  }
});

test('WIN-022 many small changes are joined with work by their number and not by its square', () => {
  let reads = 0;
  const spread = (columns: number): number => {
    reads = 0;
    const edge = (value: number) => ({
      enumerable: true,
      get: () => {
        reads++;
        return value;
      },
    });
    const boxes = Array.from({ length: columns * columns }, (_, i): Box => {
      const [x, y] = [(i % columns) * 40, Math.floor(i / columns) * 40];
      return Object.defineProperties({} as Box, {
        x0: edge(x),
        y0: edge(y),
        x1: edge(x + 4),
        y1: edge(y + 4),
      });
    });
    assert.is(joinedBoxes(boxes, 12, 6).length, boxes.length);
    return reads;
  };
  const [few, many] = [spread(20), spread(40)];
  assert.ok(many < 6 * few, `four times the boxes, ${(many / few).toFixed(1)} times the work`);
});

test.run();
