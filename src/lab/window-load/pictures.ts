import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { seededRandom } from '../../lib/random/seeded-random.ts';
import { paint } from '../../test-kit/window/pictures.ts';
import type { Pixels } from '../../window/image/pixels.ts';
import { encodePng } from '../../window/image/png/encode.ts';
import { needSharp } from '../../window/image/sharp.ts';
import { drawn } from '../compare-benchmark/judge.ts';
import { makeScreen } from '../compare-benchmark/screen.ts';

/** A picture as it was, and as it is now. */
export interface Pair {
  before: string;
  after: string;
}

const SIZES = {
  screen: [1280, 800],
  '4k': [3840, 2160],
  '12mp': [4000, 3000],
  '50mp': [8000, 6250],
} as const;
export type Size = keyof typeof SIZES;

/** Draws the pictures that the load test asks for into a folder. */
export async function drawPictures(
  folder: string,
  sizes: readonly Size[],
): Promise<{ pairs: Map<Size, Pair>; broken: string[] }> {
  const save = (name: string, file: Uint8Array) => {
    writeFileSync(join(folder, name), file);
    return join(folder, name);
  };
  const screen = await drawn({ ...makeScreen(seededRandom(5)), width: 1280, height: 800 });
  const pairs = new Map<Size, Pair>();
  for (const size of sizes) {
    const pixels = tiled(screen, SIZES[size]);
    const before = save(`${size}.png`, encodePng(pixels, 1));
    paint(pixels, 300, 300, 90, 20, [200, 30, 30]);
    pairs.set(size, { before, after: save(`${size}-after.png`, encodePng(pixels, 1)) });
  }
  const sharp = await needSharp('the load test');
  const { width, height, data } = tiled(screen, SIZES['12mp']);
  const jpeg = sharp(data, { raw: { width, height, channels: 3 } }).jpeg({ quality: 90 });
  const whole = encodePng(screen);
  const wrong = Buffer.from(whole);
  wrong.writeUInt8(wrong.readUInt8(2000) ^ 255, 2000);
  const broken = [
    save('cut.png', whole.subarray(0, whole.length >> 1)),
    save('wrong.png', wrong),
    save('cut.jpg', (await jpeg.toBuffer()).subarray(0, 300_000)),
  ];
  return { pairs, broken };
}

/** The same screen again and again, each time in other colours: nothing on it is alike. */
function tiled(screen: Pixels, [width, height]: readonly [number, number]): Pixels {
  const data = new Uint8Array(width * height * 3);
  for (let y = 0, at = 0; y < height; y++)
    for (let x = 0; x < width; x++, at += 3) {
      const from = ((y % screen.height) * screen.width + (x % screen.width)) * 3;
      const shift = Math.floor(x / screen.width) * 11 + Math.floor(y / screen.height) * 7;
      for (let channel = 0; channel < 3; channel++)
        data[at + channel] = Math.abs((screen.data[from + channel] as number) - shift);
    }
  return { width, height, data };
}
