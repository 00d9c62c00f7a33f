import * as assert from 'uvu/assert';
import { suite } from '../../test-kit/suite.ts';
import { flat, motley } from '../../test-kit/window/pictures.ts';
import { blockMapOf, blockSize } from './block-map.ts';
import { tilesFromHex, tilesToHex } from './tiles.ts';

const test = suite('block maps');

test('a map survives its text, at odd sizes too', () => {
  for (const [width, height] of [
    [1, 1],
    [5, 3],
    [64, 64],
    [333, 217],
  ] as const) {
    const map = blockMapOf(motley(width, height));
    assert.equal(tilesFromHex(tilesToHex(map)), map, `${width} x ${height}`);
  }
});

test('blocks have 4 pixels a side up to full HD, and there are never more than 131072', () => {
  assert.is(blockSize(1920, 1080), 4);
  assert.is(blockSize(100, 100), 4);
  for (const [width, height] of [
    [3840, 2160],
    [10_000, 5000],
    [50_000, 1000],
  ] as const) {
    const size = blockSize(width, height);
    assert.ok(Math.floor(width / size) * Math.floor(height / size) <= 131_072);
  }
});

test('means are those of the pixels, also of blocks that the edge cuts off', () => {
  const map = blockMapOf(flat(9, 5, [255, 0, 0]));
  assert.equal([map.columns, map.rows], [3, 2]);
  assert.equal([...map.luma], new Array(6).fill(76));
  assert.equal([map.cb[0], map.cr[0]], [85, 255]);
});

test('text that is not a map is told apart, whatever it promises', () => {
  const good = tilesToHex(blockMapOf(motley(20, 20)));
  const head = (width: number, height: number) =>
    `01${width.toString(16).padStart(8, '0')}${height.toString(16).padStart(8, '0')}`;
  for (const bad of [
    '',
    'zz',
    '01',
    good.slice(0, -2),
    `${good}00`,
    `02${good.slice(2)}`,
    head(0, 4),
    `${head(60_000, 60_000)}00ff`,
  ])
    assert.is(tilesFromHex(bad), undefined, bad.slice(0, 30));
});

test.run();
