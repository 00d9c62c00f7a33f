import type { Box } from '../detect/element.ts';
import type { Pixels } from '../image/pixels.ts';
import type { Contrast } from './contrast.ts';
import { type TextCrop, textCrop } from './crop.ts';
import { inkOf } from './crop-ink.ts';
import { measurementOf } from './glyph/measurement.ts';
import { shippedNetwork } from './glyph/network.ts';
import { readLine, type SeenLine, signOf } from './glyph/read-line.ts';
import { boxOf } from './glyph/view.ts';
import { lostAtEnds } from './letter-agreement.ts';
import { signsIn } from './lost-blanks.ts';
import { clear } from './signs.ts';

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
  const margin = (crop.picture.width / crop.scale - crop.width) / 2;
  const onWhole = (x: number) => Math.round((crop.left + margin + x - whole.left) * whole.scale);
  const { width } = whole.picture;
  return [
    { from: onWhole(-SOFT), to: width },
    { from: 0, to: onWhole(crop.width + SOFT) },
  ].some((others) => {
    // Without the letters of the text, whose height says nothing about the digits.
    const ink = inkOf(whole.picture);
    clear(ink, Math.max(0, others.from), Math.min(width, others.to));
    return showsNumber(ink);
  });
}

/**
 * Whether a text lacks signs at an end of its line that may be a number by themselves: beside a label in small type the digits of a larger one
 * look like other letters.
 */
export function lacksNumber({ picture }: TextCrop, line: SeenLine, text: string): boolean {
  return lostAtEnds(line, signsIn(text)).some((lost) => {
    const { x0, x1 } = boxOf(lost.map(({ box }) => box));
    const ink = inkOf(picture);
    clear(ink, 0, Math.max(0, x0 - SOFT));
    clear(ink, Math.min(picture.width, x1 + SOFT), picture.width);
    return showsNumber(ink);
  });
}

/** Whether ink of one line may be a number. */
export function showsNumber(ink: Contrast): boolean {
  const line = readLine(ink, shippedNetwork());
  const number = line && (measurementOf(line) ?? fractionOf(line));
  const [letter] = line?.letters ?? [];
  if (!letter || !number || number.all < POSSIBLE) return false;
  const alone = ALONE[number.text];
  const { x0, y0, x1, y1 } = letter.box;
  const slender = (y1 - y0) / (x1 - x0);
  return alone ? slender >= alone.least && slender <= alone.most : NUMBER.test(number.text);
}

/** A number that begins with its decimal mark, such as `.5`: never read, since a speck looks like the mark. */
function fractionOf({ letters, measure }: SeenLine): { text: string; all: number } | undefined {
  const signs = letters.map(signOf).join('');
  const [begin = ''] = /^[-+±]?[.,](?=.)/.exec(signs) ?? [];
  const digits = begin === '' ? undefined : measurementOf({ letters: letters.slice(begin.length), measure });
  return digits && { text: begin + digits.text, all: digits.all };
}
