import type { Box } from '../detect/element.ts';
import type { Pixels } from '../image/pixels.ts';
import { type TextCrop, textCrop } from './crop.ts';
import { measurementOf } from './glyph/measurement.ts';
import { shippedNetwork } from './glyph/network.ts';
import { readLine } from './glyph/read-line.ts';
import { inkOf } from './shown-text.ts';

/** Of 1: what is as likely a number is not left out silently. */
const POSSIBLE = 0.1;
const NUMBER = /[2-9]|\d.*\d|[-+.,]\d/;
/** A round ring and a stroke alone are the signs of choices and arrows as well: heights of a 0 and a 1 by their width. */
const ALONE: Readonly<Record<string, { least: number; most: number }>> = {
  '0': { least: 1.2, most: 2.5 },
  '1': { least: 1.2, most: 3.5 },
};
/** Softer pixels at the ends of ink. */
const SOFT = 2;

/**
 * Whether what was taken for an icon beside a text and left out of its crop may be a number: a value in large type beside its label is as
 * solid as an icon.
 */
export function leavesOutNumber(image: Pixels, box: Box, crop: TextCrop): boolean {
  if (!crop.hasIcon) return false;
  const whole = textCrop(image, box, { icons: true });
  if (!whole) return false;
  const [own, all] = [placeOf(crop), placeOf(whole)];
  return [
    { ...all, x1: own.x0 - SOFT },
    { ...all, x0: own.x1 + SOFT },
  ].some((part) => part.x1 - part.x0 > SOFT && isNumber(textCrop(image, part, { icons: true })));
}

function isNumber(crop: TextCrop | undefined): boolean {
  const line = crop?.lines === 1 ? readLine(inkOf(crop.picture), shippedNetwork()) : undefined;
  const number = line && measurementOf(line);
  if (!crop || number === undefined || number.all < POSSIBLE) return false;
  const alone = ALONE[number.text];
  const slender = crop.height / crop.width;
  return alone ? slender >= alone.least && slender <= alone.most : NUMBER.test(number.text);
}

/** Where the ink of a crop is in the image. */
function placeOf({ picture, left, top, width, height, scale }: TextCrop): Box {
  const margin = (picture.width / scale - width) / 2;
  const [x0, y0] = [Math.round(left + margin), Math.round(top + margin)];
  return { x0, y0, x1: Math.round(x0 + width), y1: Math.round(y0 + height) };
}
