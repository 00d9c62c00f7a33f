import type { Pixels } from '../../window/image/pixels.ts';
import { needSharp } from '../../window/image/sharp.ts';

export type Color = readonly [red: number, green: number, blue: number];

/** A picture of one colour. */
export function flat(width: number, height: number, color: Color): Pixels {
  const pixels = { width, height, data: new Uint8Array(width * height * 3) };
  paint(pixels, 0, 0, width, height, color);
  return pixels;
}

/** Paints a rectangle; what lies outside of the picture is left out. */
export function paint(
  pixels: Pixels,
  x0: number,
  y0: number,
  width: number,
  height: number,
  color: Color,
): Pixels {
  for (let y = Math.max(0, y0); y < Math.min(pixels.height, y0 + height); y++)
    for (let x = Math.max(0, x0); x < Math.min(pixels.width, x0 + width); x++)
      pixels.data.set(color, (y * pixels.width + x) * 3);
  return pixels;
}

/** A picture of every colour, the same each time. */
export function motley(width: number, height: number): Pixels {
  const data = Uint8Array.from({ length: width * height * 3 }, (_, at) => (at * 37 + ((at * at) >> 5)) & 255);
  return { width, height, data };
}

/** A drawing as pixels. */
export async function drawnSvg(svg: string): Promise<Pixels> {
  const sharp = await needSharp('the test');
  const { data, info } = await sharp(Buffer.from(svg))
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, data };
}
