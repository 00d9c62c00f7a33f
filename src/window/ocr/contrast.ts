import type { Box } from '../detect/element.ts';
import type { Pixels } from '../image/pixels.ts';

/** How much each pixel of a box is ink: 0 its ground, 255 its strongest ink, whichever of them is the lighter one. */
export interface Contrast {
  width: number;
  height: number;
  data: Uint8Array;
}

/** Levels between ground and ink, below which there is nothing to read. */
const LEAST_CONTRAST = 24;
/** Higher boxes may have a frame, and the page around it: neither says what colour the letters have. Pixels. */
const LEAST_FRAMED = 20;
const RIM = 5;
/** Colours are counted in steps of 8 levels: a gradient is one ground. */
const STEP_BITS = 3;

/** Undefined for a box of one colour. */
export function contrastOf(image: Pixels, box: Box): Contrast | undefined {
  const [width, height] = [box.x1 - box.x0, box.y1 - box.y0];
  const rgb = cutOut(image, box);
  const ground = commonColour(rgb, () => true);
  const rim = height > LEAST_FRAMED ? RIM : 0;
  const isInner = (at: number) => {
    const [x, y] = [(at / 3) % width, Math.floor(at / 3 / width)];
    return x >= rim && x < width - rim && y >= rim && y < height - rim;
  };
  let furthest = 0;
  for (let at = 0; at < rgb.length; at += 3)
    if (isInner(at)) furthest = Math.max(furthest, distance(rgb, at, ground));
  if (furthest < LEAST_CONTRAST) return undefined;
  const ink = commonColour(rgb, (at) => isInner(at) && distance(rgb, at, ground) >= furthest * 0.7);
  const axis = ink.map((value, i) => value - (ground[i] as number));
  const length2 = axis.reduce((sum, value) => sum + value * value, 0);
  const data = new Uint8Array(width * height);
  // Along the way from ground to ink: coloured fringes of letters become as grey as they look.
  for (let i = 0; i < data.length; i++) {
    let along = 0;
    for (let c = 0; c < 3; c++)
      along += ((rgb[i * 3 + c] as number) - (ground[c] as number)) * (axis[c] as number);
    data[i] = Math.max(0, Math.min(255, Math.round((along / length2) * 255)));
  }
  return { width, height, data };
}

function cutOut({ width, data }: Pixels, { x0, y0, x1, y1 }: Box): Uint8Array {
  const rgb = new Uint8Array((x1 - x0) * (y1 - y0) * 3);
  for (let y = y0; y < y1; y++)
    rgb.set(data.subarray((y * width + x0) * 3, (y * width + x1) * 3), (y - y0) * (x1 - x0) * 3);
  return rgb;
}

/** Mean of the most frequent step of colours. */
function commonColour(rgb: Uint8Array, isCounted: (at: number) => boolean): number[] {
  const sums = new Map<number, [count: number, red: number, green: number, blue: number]>();
  for (let at = 0; at < rgb.length; at += 3) {
    if (!isCounted(at)) continue;
    const [red, green, blue] = [rgb[at] as number, rgb[at + 1] as number, rgb[at + 2] as number];
    const key = ((red >> STEP_BITS) << 10) | ((green >> STEP_BITS) << 5) | (blue >> STEP_BITS);
    const sum = sums.get(key);
    if (sum) {
      sum[0]++;
      sum[1] += red;
      sum[2] += green;
      sum[3] += blue;
    } else sums.set(key, [1, red, green, blue]);
  }
  let [count, red, green, blue] = [0, 0, 0, 0];
  for (const sum of sums.values()) if (sum[0] > count) [count, red, green, blue] = sum;
  return [red / count, green / count, blue / count];
}

/** Largest difference of a channel. */
function distance(rgb: Uint8Array, at: number, [red = 0, green = 0, blue = 0]: readonly number[]): number {
  return Math.max(
    Math.abs((rgb[at] as number) - red),
    Math.abs((rgb[at + 1] as number) - green),
    Math.abs((rgb[at + 2] as number) - blue),
  );
}
