import type { Pixels } from '../image/pixels.ts';
import type { TextCrop } from './crop.ts';
import { type SeenLetter, type SeenLine, signOf } from './glyph/read-line.ts';
import { signsIn } from './lost-blanks.ts';

/** By the height of the digits: how far below their feet the bar of a ≤ may lie. */
const BELOW = 0.15;
/** Of a comparison's width, and of its ink: what a bar has at least. */
const [WIDE, STRONG] = [0.6, 0.35];
/** By its width: how far beyond a comparison an underline goes on at both sides. */
const BEYOND = 0.3;
/** Columns of the image beside a bar that show its ground. */
const BESIDE = 2;

/**
 * A text with ≤ and ≥ where a comparison has a bar below it, which the crop leaves out as an underline. Undefined where the text has another
 * sign there.
 */
export function withErasedBars(
  text: string,
  image: Pixels,
  crop: TextCrop,
  { letters, measure }: SeenLine,
): string | undefined {
  const barred = letters.map((letter) => /[<>]/.test(signOf(letter)) && hasBar(letter));
  if (!barred.includes(true)) return text;
  const signs = signsIn(text);
  const isSame =
    signs.length === letters.length &&
    letters.every((letter, i) => !barred[i] || signOf(letter) === signs[i]);
  // An underline that ends with its text is as long as the one sign that it has.
  if (!isSame || letters.length === 1) return undefined;
  let place = -1;
  return text.replace(/\S/g, (sign) => (barred[++place] ? (sign === '<' ? '≤' : '≥') : sign));

  function hasBar({ box }: SeenLetter): boolean {
    const [x0, x1] = [box.x0, box.x1].map((x) => Math.round(crop.left + x / crop.scale)) as [number, number];
    const [y0, y1, foot] = [box.y0, box.y1, measure.baseline + BELOW * measure.height].map((y) =>
      Math.round(crop.top + y / crop.scale),
    ) as [number, number, number];
    const strength = (y: number): number[] => {
      const ground = at(x0 - BESIDE, y);
      return Array.from({ length: x1 - x0 }, (_, i) => unlike(at(x0 + i, y), ground));
    };
    let ink = 0;
    for (let y = y0; y < y1; y++) ink = Math.max(ink, ...strength(y));
    for (let y = y1 + 1; y < Math.min(image.height, foot); y++)
      if (strength(y).filter((value) => value >= STRONG * ink).length >= WIDE * (x1 - x0))
        return !goesOn(y, ink);
    return false;

    /** An underline does, at least at one side. */
    function goesOn(y: number, ink: number): boolean {
      const beyond = Math.ceil(BEYOND * (x1 - x0));
      const ground = at(x0 - BESIDE, y0 - 1);
      return [x0 - beyond, x1 + beyond - 1].some((x) => unlike(at(x, y), ground) >= STRONG * ink);
    }
  }

  function at(x: number, y: number): readonly number[] {
    const [column, row] = [
      Math.min(image.width - 1, Math.max(0, x)),
      Math.min(image.height - 1, Math.max(0, y)),
    ];
    const place = (row * image.width + column) * 3;
    return [0, 1, 2].map((c) => image.data[place + c] as number);
  }
}

const unlike = (one: readonly number[], other: readonly number[]): number =>
  Math.max(...one.map((value, c) => Math.abs(value - (other[c] as number))));
