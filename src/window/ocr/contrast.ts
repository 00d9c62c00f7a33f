import type { Box } from '../detect/element.ts';
import type { Pixels } from '../image/pixels.ts';
import { Colours } from './colours.ts';
import { peelShell } from './shell.ts';

/** How much each pixel of a box is ink: 0 its ground, 255 its strongest ink, whichever of them is the lighter one. */
export interface Contrast {
  width: number;
  height: number;
  data: Uint8Array;
}

/** Levels between ground and ink, below which there is nothing to read. */
const LEAST_CONTRAST = 24;
/** Of the way to the pixel that is farthest from the ground: what lies beyond has the colour of ink. */
const INK = 0.7;
/** Higher boxes may have a frame, and the page around it: neither says what colour the letters have. Pixels. */
const LEAST_FRAMED = 20;
const RIM = 5;

/** Undefined for a box of one colour. */
export function contrastOf(image: Pixels, box: Box): Contrast | undefined {
  const colours = new Colours(image, box);
  const { width, height } = colours;
  const ground = colours.common();
  peelShell(colours, ground);
  const rim = height > LEAST_FRAMED ? RIM : 0;
  const distances = new Float64Array(width * height);
  const inner: number[] = [];
  let furthest = 0;
  for (let y = rim; y < height - rim; y++)
    for (let place = y * width + rim; place < (y + 1) * width - rim; place++) {
      const own = colours.distance(place, ground);
      if (own < LEAST_CONTRAST * INK) continue;
      inner.push(place);
      distances[place] = own;
      if (own > furthest) furthest = own;
    }
  if (furthest < LEAST_CONTRAST) return undefined;
  const ink = colours.common(inner.filter((place) => (distances[place] as number) >= furthest * INK));
  const axis = ink.map((value, c) => value - (ground[c] as number));
  const length2 = axis.reduce((sum, value) => sum + value * value, 0);
  const data = new Uint8Array(width * height);
  // Along the way from ground to ink: coloured fringes of letters become as grey as they look.
  for (let place = 0; place < data.length; place++) {
    let along = 0;
    for (let c = 0; c < 3; c++)
      along += (colours.channel(place, c) - (ground[c] as number)) * (axis[c] as number);
    data[place] = Math.max(0, Math.min(255, Math.round((along / length2) * 255)));
  }
  return { width, height, data };
}
