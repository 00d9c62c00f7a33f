import type { Pixels } from '../../window/image/pixels.ts';
import { type Color, paint } from './pictures.ts';

/** Seven rows of five pixels for each letter, each row a digit of base 32. */
const GLYPHS: Record<string, string> = {
  A: 'ehhvhhh',
  B: 'uhhuhhu',
  C: 'ehgggHe',
  D: 'uhhhhhu',
  E: 'vgguggv',
  F: 'vgguggg',
  G: 'ehgnhhe',
  H: 'hhhvhhh',
  I: 'e44444e',
  J: '72222ic',
  K: 'hikokih',
  L: 'ggggggv',
  M: 'hrllhhh',
  N: 'hhpljhh',
  O: 'ehhhhhe',
  P: 'uhhuggg',
  R: 'uhhukih',
  S: 'fgge11u',
  T: 'v444444',
  U: 'hhhhhhe',
  V: 'hhhhha4',
  W: 'hhhllla',
  X: 'hha4ahh',
  Y: 'hhha444',
  Z: 'v1248gv',
  '0': 'ehjlphe',
  '1': '4c4444e',
  '2': 'eh1248v',
  '3': 'v2421he',
  '4': '26aiv22',
};

const ADVANCE = 6;
const SPACE = 5;
export const GLYPH_HEIGHT = 7;

/** Writes capitals and some digits. @returns the x of the first pixel after the text */
export function writeText(
  pixels: Pixels,
  x: number,
  y: number,
  text: string,
  color: Color,
  scale = 2,
): number {
  let at = x;
  for (const letter of text) {
    if (letter === ' ') {
      at += SPACE * scale;
      continue;
    }
    const rows = GLYPHS[letter];
    if (!rows) throw new Error(`there is no glyph for ${JSON.stringify(letter)}`);
    [...rows.toLowerCase()].forEach((digit, row) => {
      const bits = Number.parseInt(digit, 32);
      for (let column = 0; column < 5; column++)
        if (bits & (16 >> column)) paint(pixels, at + column * scale, y + row * scale, scale, scale, color);
    });
    at += ADVANCE * scale;
  }
  return at - scale;
}

/** A border without its filling. */
export function frame(
  pixels: Pixels,
  x: number,
  y: number,
  width: number,
  height: number,
  color: Color,
  thick = 1,
): void {
  paint(pixels, x, y, width, thick, color);
  paint(pixels, x, y + height - thick, width, thick, color);
  paint(pixels, x, y, thick, height, color);
  paint(pixels, x + width - thick, y, thick, height, color);
}
