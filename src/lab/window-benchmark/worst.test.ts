import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../../test-kit/suite.ts';
import type { Box } from '../../window/detect/element.ts';
import { decodePng } from '../../window/image/png/decode.ts';
import { encodePng } from '../../window/image/png/encode.ts';
import { scoreOf } from './score.ts';
import { drawWorst, worstOf } from './worst.ts';

const test = suite();

const WHITE = { width: 60, height: 40, data: new Uint8Array(60 * 40 * 3).fill(255) };
const truthAt = (x: number) => ({ class: 'text', box: { x, y: 5, width: 10, height: 20 } });
const boxAt = (x0: number): Box => ({ x0, y0: 5, x1: x0 + 10, y1: 25 });

test('the three screens of the lowest F1 are drawn, the worst first: found green, false red, missed blue', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'worst-'));
  try {
    const judgedAs = (id: string, boxes: Box[]) => {
      const image = join(folder, `${id}-screen.png`);
      writeFileSync(image, encodePng(WHITE));
      const items = [truthAt(0), truthAt(20)];
      const screen = { id, image, isDesktop: false, family: 'f', page: id, scale: 1, items };
      return { screen, boxes, score: scoreOf(screen, boxes) };
    };
    const judged = [
      judgedAs('all', [boxAt(0), boxAt(20)]),
      judgedAs('half', [boxAt(0), boxAt(40)]),
      judgedAs('one', [boxAt(0)]),
      judgedAs('none', [boxAt(40)]),
    ];
    assert.equal(
      worstOf(judged).map(({ screen }) => screen.id),
      ['none', 'half', 'one'],
    );
    const drawn = await drawWorst(judged, join(folder, 'drawn'));
    assert.match(drawn[1] ?? '', /half\.png F1 0\.500: 1 found, 1 false, 1 missed$/);
    const { data } = await decodePng(readFileSync(join(folder, 'drawn', 'half.png')));
    const colour = (x: number) => [
      ...data.subarray((5 * WHITE.width + x) * 3, (5 * WHITE.width + x) * 3 + 3),
    ];
    assert.equal([0, 40, 20, 15].map(colour), [
      [0, 150, 40],
      [220, 30, 30],
      [0, 90, 255],
      [255, 255, 255],
    ]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test.run();
