/** Sum of the differences of the channels of two colours 0xRRGGBB, 0..765. */
export function colourDistance(a: number, b: number): number {
  const red = (a >> 16) - (b >> 16);
  const green = ((a >> 8) & 255) - ((b >> 8) & 255);
  const blue = (a & 255) - (b & 255);
  return (red < 0 ? -red : red) + (green < 0 ? -green : green) + (blue < 0 ? -blue : blue);
}

/** Brightness of a colour 0xRRGGBB as the eye sees it, 0..255. */
export const luminanceOf = (colour: number): number =>
  0.299 * (colour >> 16) + 0.587 * ((colour >> 8) & 255) + 0.114 * (colour & 255);

/** Difference of the strongest and the weakest channel, 0..255. */
export function saturationOf(colour: number): number {
  const red = colour >> 16;
  const green = (colour >> 8) & 255;
  const blue = colour & 255;
  return Math.max(red, green, blue) - Math.min(red, green, blue);
}
