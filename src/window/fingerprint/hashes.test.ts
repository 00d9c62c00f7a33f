import * as assert from 'uvu/assert';
import { drawn } from '../../lab/compare-benchmark/judge.ts';
import { makeScreen } from '../../lab/compare-benchmark/screen.ts';
import { seededRandom } from '../../lib/random/seeded-random.ts';
import { suite } from '../../test-kit/suite.ts';
import { motley } from '../../test-kit/window/pictures.ts';
import type { Pixels } from '../image/pixels.ts';
import { greyOf } from './grey.ts';
import { dHash, hammingDistance, pHash, wHash } from './hashes.ts';

const test = suite('image hashes');

/** Scaled by the formula of the Lanczos window, to bytes after each direction, as PIL does; shares no code with ours. */
function scaled(pixels: Pixels, width: number, height: number): number[] {
  const windows = (from: number, to: number) =>
    Array.from({ length: to }, (_, index) => {
      const scale = Math.max(1, from / to);
      const centre = ((index + 0.5) * from) / to - 0.5;
      const taps = Array.from({ length: from }, (_, at) => [at, lanczos3((at - centre) / scale)] as const);
      const used = taps.filter(([, weight]) => weight !== 0);
      const sum = used.reduce((all, [, weight]) => all + weight, 0);
      return used.map(([at, weight]) => [at, weight / sum] as const);
    });
  const [columns, rows] = [windows(pixels.width, width), windows(pixels.height, height)];
  const light = Float64Array.from({ length: pixels.width * pixels.height }, (_, at) => {
    const channel = (index: number) => pixels.data[at * 3 + index] ?? 0;
    return Math.round(0.299 * channel(0) + 0.587 * channel(1) + 0.114 * channel(2));
  });
  const byte = (value: number) => Math.max(0, Math.min(255, Math.round(value)));
  const weighed = (taps: readonly (readonly [number, number])[], at: (index: number) => number) =>
    byte(taps.reduce((sum, [index, weight]) => sum + at(index) * weight, 0));
  const narrow = Array.from({ length: pixels.height }, (_, y) =>
    columns.map((taps) => weighed(taps, (x) => light[y * pixels.width + x] ?? 0)),
  );
  return rows.flatMap((taps) => columns.map((_, x) => weighed(taps, (y) => narrow[y]?.[x] ?? 0)));
}

function lanczos3(x: number): number {
  if (Math.abs(x) >= 3) return 0;
  const sinc = (value: number) => (value === 0 ? 1 : Math.sin(Math.PI * value) / (Math.PI * value));
  return sinc(x) * sinc(x / 3);
}

/** By the sum that defines the DCT, and a median by sorting. */
function pHashByDefinition(pixels: Pixels): string {
  const grey = scaled(pixels, 32, 32);
  const wave = (frequency: number, at: number) => Math.cos((Math.PI * frequency * (at + 0.5)) / 32);
  const low: number[] = [];
  for (let v = 0; v < 8; v++)
    for (let u = 0; u < 8; u++)
      low.push(
        grey.reduce((sum, value, at) => sum + value * wave(u, at % 32) * wave(v, Math.floor(at / 32)), 0),
      );
  const sorted = low.toSorted((a, b) => a - b);
  const median = ((sorted[31] ?? 0) + (sorted[32] ?? 0)) / 2;
  return hexOf(low.map((value) => value > median));
}

function dHashByDefinition(pixels: Pixels): string {
  const grey = scaled(pixels, 9, 8);
  const cells = Array.from({ length: 64 }, (_, at) => Math.floor(at / 8) * 9 + (at % 8));
  return hexOf(cells.map((at) => (grey[at + 1] ?? 0) > (grey[at] ?? 0)));
}

const hexOf = (bits: boolean[]) =>
  BigInt(`0b${bits.map(Number).join('')}`)
    .toString(16)
    .padStart(16, '0');

test(
  'WIN-023 pHash and dHash of 50 screens agree with an independent implementation to 2 bits',
  async () => {
    for (let seed = 1; seed <= 50; seed++) {
      const pixels = await drawn(makeScreen(seededRandom(seed)));
      const grey = greyOf(pixels);
      const distances = [
        hammingDistance(pHash(grey), pHashByDefinition(pixels)),
        hammingDistance(dHash(grey), dHashByDefinition(pixels)),
      ];
      assert.ok(Math.max(...distances) <= 2, `seed ${seed}: ${distances}`);
    }
  },
  { timeoutMs: 180_000 },
);

test('hashes have 64 bits, and a picture has other ones than its mirror image', () => {
  const one = motley(90, 70);
  const mirror = { ...one, data: one.data.toReversed() };
  for (const hash of [pHash, dHash, wHash]) {
    assert.match(hash(greyOf(one)), /^[0-9a-f]{16}$/);
    assert.is(hammingDistance(hash(greyOf(one)), hash(greyOf(one))), 0);
    assert.ok(hammingDistance(hash(greyOf(one)), hash(greyOf(mirror))) > 0);
  }
});

test('a brighter right half sets the known bits of dHash and wHash', () => {
  const pixels = {
    width: 16,
    height: 16,
    data: new Uint8Array(768).map((_, at) => ((at / 3) % 16 < 8 ? 40 : 220)),
  };
  assert.is(wHash(greyOf(pixels)), '0f0f0f0f0f0f0f0f');
  assert.match(dHash(greyOf(pixels)), /^(..)\1{7}$/);
});

test('the distance counts differing bits', () => {
  assert.is(hammingDistance('0000000000000000', 'ffffffffffffffff'), 64);
  assert.is(hammingDistance('8000000000000001', '0000000000000000'), 2);
});

test.run();
