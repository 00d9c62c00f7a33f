import type { Box } from '../detect/element.ts';
import type { Pixels } from '../image/pixels.ts';
import { type TextCrop, textCrop } from './crop.ts';
import { measurementOf } from './glyph/measurement.ts';
import { shippedNetwork } from './glyph/network.ts';
import { readLine, type SeenLine, signOf } from './glyph/read-line.ts';
import { inkOf } from './shown-text.ts';

/** Of 1: what is as likely a number is not left out silently. */
const POSSIBLE = 0.01;
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
  ].some((part) => part.x1 - part.x0 > SOFT && isNumber(textCrop(image, part, { icons: true }), own));
}

/** @param own what is read of the text itself: a crop reaches into its next letter */
function isNumber(crop: TextCrop | undefined, own: Box): boolean {
  const all = crop?.lines === 1 ? readLine(inkOf(crop.picture), shippedNetwork()) : undefined;
  if (!crop || !all) return false;
  const onImage = (x: number) => crop.left + x / crop.scale;
  const letters = all.letters.filter(({ box }) => onImage(box.x0) >= own.x1 || onImage(box.x1) <= own.x0);
  const line = { ...all, letters };
  const number = measurementOf(line) ?? fractionOf(line);
  if (number === undefined || number.all < POSSIBLE) return false;
  const alone = ALONE[number.text];
  const [{ box } = { box: own }] = letters;
  const slender = (box.y1 - box.y0) / (box.x1 - box.x0);
  return alone ? slender >= alone.least && slender <= alone.most : NUMBER.test(number.text);
}

/** A number that begins with its decimal mark, such as `.5`: never read, since a speck looks like the mark. */
function fractionOf({ letters, measure }: SeenLine): { text: string; all: number } | undefined {
  const signs = letters.map(signOf).join('');
  const [begin = ''] = /^[-+±]?[.,](?=.)/.exec(signs) ?? [];
  const digits = begin === '' ? undefined : measurementOf({ letters: letters.slice(begin.length), measure });
  return digits && { text: begin + digits.text, all: digits.all };
}

/** Where the ink of a crop is in the image. */
function placeOf({ picture, left, top, width, height, scale }: TextCrop): Box {
  const margin = (picture.width / scale - width) / 2;
  const [x0, y0] = [Math.round(left + margin), Math.round(top + margin)];
  return { x0, y0, x1: Math.round(x0 + width), y1: Math.round(y0 + height) };
}
