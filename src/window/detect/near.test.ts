import * as assert from 'uvu/assert';
import { suite } from '../../test-kit/suite.ts';
import { BoxIndex } from './box-index.ts';
import type { Candidate } from './candidates.ts';
import { clusterNodes } from './clusters.ts';
import type { Box } from './element.ts';
import { FAR } from './feature-names.ts';
import type { Ink } from './ink.ts';
import { seriesOf } from './roles.ts';
import { neighboursOf, type Root } from './surroundings.ts';

const test = suite('what is exactly so far away');

/** Places on both sides of the edges of the cells in which boxes are looked for. */
const PLACES = Array.from({ length: 140 }, (_, i) => i + 60);

const at = (x0: number, y0: number, width: number, height: number): Box => ({
  x0,
  y0,
  x1: x0 + width,
  y1: y0 + height,
});

/** For each place what was found there. */
const everywhere = <T>(found: (x: number, y: number) => T): T[] =>
  PLACES.flatMap((place) => [found(place, 100), found(100, place)]);

test('WIN-028 strokes at the widest gap within an icon are one, wherever they lie', () => {
  const inkOf = (boxes: readonly Box[]): Ink => {
    const edge = (name: keyof Box) => Int32Array.from(boxes, (box) => box[name]);
    const area = Int32Array.from(boxes, () => 30);
    return { x0: edge('x0'), y0: edge('y0'), x1: edge('x1'), y1: edge('y1'), area } as unknown as Ink;
  };
  const counts = everywhere(
    (x, y) => clusterNodes(inkOf([at(x, y, 5, 6), at(x - 9, y + 2, 5, 6)]), [0, 1]).length,
  );
  assert.equal([...new Set(counts)], [1]);
});

test('WIN-028 keys at the widest gap within a tool bar are of one series, wherever they lie', () => {
  const key = (x: number, y: number, side: number): Candidate => ({
    kind: 'box',
    ...at(x, y, side, side),
    surface: 0,
    index: 0,
  });
  for (const [across, down] of [
    [50, 0],
    [0, 50],
  ] as const)
    assert.ok(
      everywhere((x, y) => seriesOf([key(x - across, y - down, 18), key(x, y, 20)])).every(
        ([a, b]) => a === b,
      ),
    );
});

test('WIN-028 the rows above and below that are as far away as any that count are found, wherever they lie', () => {
  const found = everywhere((x, y) => {
    const boxes = [at(x, y - 8 * FAR - 8, 40, 8), at(x, y + 8 + 8 * FAR, 40, 8)];
    const roots = boxes.map((node) => ({ node }) as Root);
    const own = { kind: 'row', ...at(x, y, 40, 8) } as Candidate;
    const { aboveNode, belowNode } = neighboursOf({ roots, rootIndex: new BoxIndex(boxes) }, own, 8);
    return aboveNode === roots[0]?.node && belowNode === roots[1]?.node;
  });
  assert.ok(found.every((isFound) => isFound));
});

test.run();
