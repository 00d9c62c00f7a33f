import type { Pixels } from '../image/pixels.ts';

export interface Grey {
  width: number;
  height: number;
  /** One byte a pixel, row by row. */
  data: Uint8Array;
}

/** Luma by ITU-R 601-2 in 16 bit fixed point, as the usual image libraries do it. */
export function greyOf({ width, height, data }: Pixels): Grey {
  const grey = new Uint8Array(width * height);
  for (let index = 0, at = 0; index < grey.length; index++, at += 3)
    grey[index] =
      ((data[at] as number) * 19595 +
        (data[at + 1] as number) * 38470 +
        (data[at + 2] as number) * 7471 +
        0x8000) >>
      16;
  return { width, height, data: grey };
}
