import type { Random } from '../../lib/random/seeded-random.ts';
import type { Pixels } from '../../window/image/pixels.ts';
import { needSharp, type Sharp } from '../../window/image/sharp.ts';
import { whole } from './screen.ts';

export const HARMLESS = [
  'saved as PNG again',
  'JPEG of quality 90',
  'JPEG 90, 4:4:4',
  'levels off by one',
  'single pixels',
] as const;
export type HarmlessKind = (typeof HARMLESS)[number];

/** The same screen, as another program would have saved or grabbed it. */
export async function harmlessCopy(kind: HarmlessKind, pixels: Pixels, random: Random): Promise<Pixels> {
  if (kind === 'levels off by one')
    return { ...pixels, data: pixels.data.map((value) => limited(value + whole(random, -1, 1))) };
  if (kind === 'single pixels') return singlePixels(pixels, random);
  const sharp = await needSharp('the benchmark');
  const { width, height, data } = pixels;
  const image = sharp(data, { raw: { width, height, channels: 3 } });
  const bytes = await encoded(kind, image).toBuffer();
  const again = await sharp(bytes).removeAlpha().raw().toBuffer();
  return { width, height, data: again };
}

function encoded(kind: HarmlessKind, image: ReturnType<typeof Sharp>) {
  if (kind === 'saved as PNG again')
    return image.ensureAlpha().png({ compressionLevel: 9, adaptiveFiltering: true });
  return image.jpeg({ quality: 90, chromaSubsampling: kind === 'JPEG 90, 4:4:4' ? '4:4:4' : '4:2:0' });
}

/** A few pixels of any colour, none beside another: what a faulty grabber does. */
function singlePixels(pixels: Pixels, random: Random): Pixels {
  const data = pixels.data.slice();
  const taken: [number, number][] = [];
  for (let wanted = whole(random, 1, 12); wanted > 0; wanted--) {
    const [x, y] = [whole(random, 0, pixels.width - 1), whole(random, 0, pixels.height - 1)];
    if (taken.some(([otherX, otherY]) => Math.abs(otherX - x) < 12 && Math.abs(otherY - y) < 12)) continue;
    taken.push([x, y]);
    data.set(
      [whole(random, 0, 255), whole(random, 0, 255), whole(random, 0, 255)],
      (y * pixels.width + x) * 3,
    );
  }
  return { ...pixels, data };
}

const limited = (value: number) => Math.max(0, Math.min(255, value));
