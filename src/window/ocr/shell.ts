import type { Colours } from './colours.ts';

/** A colour around the box that is nearer to its ground is no other surface, levels of a channel. */
const LEAST_DIFFERENCE = 24;
/** Of the rim of the box; less is ink that touches it. */
const LEAST_SHARE = 0.3;

/**
 * Paints what lies outside a filled control, such as the page around a pill, in the colour of the control: the page says
 * nothing about the letters, and letters may have its colour.
 *
 * @param ground most frequent colour of the box
 */
export function peelShell(colours: Colours, ground: readonly number[]): void {
  const { width, height } = colours;
  const rim = rimOf(width, height);
  const around = colours.common(rim);
  if (around.every((value, c) => Math.abs(value - (ground[c] as number)) < LEAST_DIFFERENCE)) return;
  const isOutside = (place: number) => colours.distance(place, around) < colours.distance(place, ground);
  const waiting = rim.filter(isOutside);
  if (waiting.length < LEAST_SHARE * rim.length) return;
  const outside = new Set(waiting);
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop())
    for (const next of neighbours(place, width, height))
      if (!outside.has(next) && isOutside(next)) {
        outside.add(next);
        waiting.push(next);
      }
  // With the soft edge of the surface.
  for (const place of outside) {
    colours.paint(place, ground);
    for (const next of neighbours(place, width, height)) if (!outside.has(next)) colours.paint(next, ground);
  }
}

function neighbours(place: number, width: number, height: number): number[] {
  const x = place % width;
  return [place - width, place + width, x > 0 ? place - 1 : -1, x < width - 1 ? place + 1 : -1].filter(
    (next) => next >= 0 && next < width * height,
  );
}

/** Row by row. */
function rimOf(width: number, height: number): number[] {
  const places: number[] = [];
  for (let y = 0; y < height; y++) {
    const isWhole = y === 0 || y === height - 1 || width < 3;
    for (let x = 0; x < width; x += isWhole ? 1 : width - 1) places.push(y * width + x);
  }
  return places;
}
