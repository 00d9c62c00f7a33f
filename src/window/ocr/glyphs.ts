import type { Box } from '../detect/element.ts';

/** A letter as it was read, with the box of its ink on the crop; a blank has none. */
export interface Glyph {
  text: string;
  box?: Box;
}

/** Where a line of letters stands, rows of the crop. */
export interface Line {
  /** Feet of the letters; exclusive. */
  baseline: number;
  /** Of capitals, pixels. */
  height: number;
  /** Tops of capitals and of small letters, when letters tell them. */
  capital: number | undefined;
  small: number | undefined;
}

const STANDING = /[A-IK-PR-Za-fhik-or-tuvwxz0-9]/;
const TALL = /[ABD-HJ-NPQRTYbdfhkl1-9]/;
const SMALL = /[aemnr]/;
/** Height of a small letter by that of a capital. */
export const SMALL_SHARE = 0.73;

/** Undefined when no letter stands on the line. */
export function lineOf(glyphs: readonly Glyph[]): Line | undefined {
  const rows = (kind: RegExp, row: (box: Box) => number) =>
    median(
      glyphs.flatMap(({ text, box }) => (box && text.length === 1 && kind.test(text) ? [row(box)] : [])),
    );
  const baseline = rows(STANDING, ({ y1 }) => y1);
  if (baseline === undefined) return undefined;
  const capital = rows(TALL, ({ y0 }) => y0);
  const small = rows(SMALL, ({ y0 }) => y0);
  const any = rows(STANDING, ({ y0 }) => y0) ?? baseline;
  const top = capital ?? (small === undefined ? any : baseline - (baseline - small) / SMALL_SHARE);
  const height = baseline - top;
  return height > 0 ? { baseline, height, capital, small } : undefined;
}

function median(values: readonly number[]): number | undefined {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
}

export const textOf = (glyphs: readonly Glyph[]): string => glyphs.map(({ text }) => text).join('');
