import * as assert from 'uvu/assert';
import { suite } from '../../test-kit/suite.ts';
import type { Ink } from './ink.ts';
import { pitchOf, stepsOver } from './pitch.ts';

const test = suite();

/** Letters of given left ends and widths in one row. */
function inkOf(letters: readonly (readonly [number, number])[]): { ink: Ink; sorted: number[] } {
  const x0 = Int32Array.from(letters, ([x]) => x);
  const x1 = Int32Array.from(letters, ([x, width]) => x + width);
  const ys = new Int32Array(letters.length);
  const ink = { count: letters.length, x0, x1, y0: ys, y1: ys } as unknown as Ink;
  return { ink, sorted: [...letters.keys()] };
}

test('WIN-031 letters that are as wide as each other stand whole steps apart, a blank is one step more', () => {
  const places = [0, 1, 2, 3, 4, 6, 7, 8, 9, 10];
  const widths = [7, 6, 4, 6, 2, 6, 7, 6, 4, 6];
  const letters = places.map((k, i) => {
    const width = widths[i] as number;
    return [20 + 8 * k + (8 - width) / 2, width] as const;
  });
  const { ink, sorted } = inkOf(letters);
  const pitch = pitchOf(ink, sorted);
  assert.ok(Math.abs(pitch.step - 8) < 0.2, `${pitch.step} px`);
  assert.ok(pitch.spread < 0.1, `${pitch.spread}`);
  const [x, width] = letters[4] as readonly [number, number];
  assert.is(Math.round(stepsOver(pitch, x + width, x + width + 9)), 2, 'over the blank');
  assert.is(stepsOver(pitch, 20 + 8 * 11, 20 + 8 * 12), 0, 'behind the last one');
});

test('letters of their own widths stand anywhere', () => {
  const widths = [3, 4, 11, 7, 5, 9, 12, 10, 6, 2, 3, 4, 3, 8, 4, 10, 3];
  let x = 20;
  const letters = widths.map((width) => {
    x += width + 2;
    return [x - width - 2, width] as const;
  });
  const { ink, sorted } = inkOf(letters);
  const { spread } = pitchOf(ink, sorted);
  assert.ok(spread > 0.12, `${spread}`);
});

test('of a few letters no step is known, and dots above letters are none', () => {
  const { ink, sorted } = inkOf([
    [0, 6],
    [1, 2],
    [8, 6],
    [16, 6],
    [24, 6],
  ]);
  const pitch = pitchOf(ink, sorted);
  assert.is(pitch.columns.length, 4);
  assert.is(pitch.step, 0);
  assert.is(stepsOver(pitch, 6, 8), 0);
});

test('WIN-031 a dot and the stem below it are no step apart', () => {
  const letters = Array.from({ length: 8 }, (_, i) => [10 + 8 * i, 6] as const);
  const { ink, sorted } = inkOf([...letters.slice(0, 3), [27, 2], ...letters.slice(3)]);
  const pitch = pitchOf(ink, sorted);
  assert.is(pitch.columns.length, 8);
  assert.is(stepsOver(pitch, 32, 27), 0);
  assert.is(Math.round(stepsOver(pitch, 32, 34)), 1);
});

test.run();
