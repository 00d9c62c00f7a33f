import type { Pixels } from '../image/pixels.ts';
import { readSegments } from '../ocr/seven-segments.ts';
import { areaOf, type Box, type DetectedElement, sharedArea } from './element.ts';

/** Sides of the surface of a display, pixels. */
const HEIGHT = { least: 16, most: 240 };
const WIDTH = { least: 24, most: 900 };
/** Share of an element that lies in the digits of a display for it to be a part of them. */
const PART = 0.5;
/** Share of the digits that a line with them holds, and its height by that of the digits. */
const WHOLE = 0.9;
const LINE = 1.3;

/** Surfaces that are looked at, all of them together, by the area of the image: tiles, what lies on them, and their frames. */
const MOST_AREA = 4;

type Loose = Omit<DetectedElement, 'parent'>;

/**
 * Puts the digits of seven-segment displays, which are rows of separate strokes, in the place of the parts that were found of them.
 *
 * @param surfaces areas of one colour that may be displays, in pixels of the image
 * @returns with how many of them were not looked at
 */
export function withDisplays(
  image: Pixels,
  elements: readonly Loose[],
  surfaces: readonly Box[],
): { elements: Loose[]; left: number } {
  let result = [...elements];
  const found: Box[] = [];
  const { chosen, left } = displaysAmong(surfaces, MOST_AREA * image.width * image.height);
  for (const surface of chosen) {
    const read = readSegments(image, surface);
    const box = read?.digits === undefined ? undefined : read.box;
    if (!box || found.some((other) => sharedArea(box, other) > 0)) continue;
    found.push(box);
    if (elements.some((element) => isLineWith(element, box))) continue;
    const parts = result.filter((element) => sharedArea(element.box, box) >= PART * areaOf(element.box));
    const color = parts[0]?.color ?? '#000000';
    result = result.filter((element) => !parts.includes(element));
    result.push({ role: 'text', box, confidence: 1, color, source: 'segments' });
  }
  return { elements: result, left };
}

/**
 * Surfaces that may be displays, in their order: of these the smallest, as long as the sum of their areas stays below a bound, since each is
 * looked at pixel by pixel, and the boxes of slanting stripes lie over each other.
 *
 * @param most sum of the areas, square pixels
 */
export function displaysAmong(surfaces: readonly Box[], most: number): { chosen: Box[]; left: number } {
  const possible = surfaces.filter(({ x0, y0, x1, y1 }) => {
    const [width, height] = [x1 - x0, y1 - y0];
    return width >= WIDTH.least && width <= WIDTH.most && height >= HEIGHT.least && height <= HEIGHT.most;
  });
  const chosen = new Set<Box>();
  let sum = 0;
  for (const surface of [...possible].sort((one, other) => areaOf(one) - areaOf(other))) {
    sum += areaOf(surface);
    if (sum > most) break;
    chosen.add(surface);
  }
  return { chosen: possible.filter((surface) => chosen.has(surface)), left: possible.length - chosen.size };
}

/** Whether an element is the digits already, perhaps with their unit. */
const isLineWith = ({ role, box }: Loose, digits: Box): boolean =>
  role === 'text' &&
  sharedArea(box, digits) >= WHOLE * areaOf(digits) &&
  box.y1 - box.y0 <= LINE * (digits.y1 - digits.y0);
