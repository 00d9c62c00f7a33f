import type { Pixels } from '../image/pixels.ts';
import type { Contrast } from './contrast.ts';

/** Ink of a crop, which is dark on white: what `inkOf` of shown-text.ts gives, with which the shipped letters were learned, in a fiftieth of its time. */
export function inkOf({ width, height, data }: Pixels): Contrast {
  const ink = new Uint8Array(width * height);
  for (let i = 0; i < ink.length; i++) ink[i] = 255 - (data[3 * i] as number);
  return { width, height, data: ink };
}
