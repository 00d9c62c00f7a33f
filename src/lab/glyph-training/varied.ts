import type { Random } from '../../lib/random/seeded-random.ts';
import { BASELINE, SIDE } from '../../window/ocr/glyph/view.ts';

/** At most: narrower or wider, lower or higher (shares), leaning (sideways for each cell upwards), and shifted (cells). */
const WIDE = 0.12;
const HIGH = 0.05;
const LEAN = 0.12;
const SHIFT = 0.5;
/** Fainter cells have no ink. */
const FAINTEST = 0.008;

/** The same letter in type that differs a little: the network learns what all kinds of it have in common. @param varied view that is filled */
export function vary(view: Float32Array, random: Random, varied: Float32Array): void {
  const within = (most: number) => most * (2 * random() - 1);
  const [wide, high, lean, shift] = [1 + within(WIDE), 1 + within(HIGH), within(LEAN), within(SHIFT)];
  const at = (x: number, y: number): number =>
    x < 0 || y < 0 || x >= SIDE || y >= SIDE ? 0 : (view[y * SIDE + x] as number);
  const middle = SIDE / 2;
  for (let row = 0; row < SIDE; row++) {
    const y = (row + 0.5 - BASELINE) / high + BASELINE - 0.5;
    const [upper, below] = [Math.floor(y), y - Math.floor(y)];
    for (let column = 0; column < SIDE; column++) {
      const x = (column + 0.5 - middle) / wide + lean * (row - middle) + shift + middle - 0.5;
      const [left, right] = [Math.floor(x), x - Math.floor(x)];
      const ink =
        (1 - below) * ((1 - right) * at(left, upper) + right * at(left + 1, upper)) +
        below * ((1 - right) * at(left, upper + 1) + right * at(left + 1, upper + 1));
      varied[row * SIDE + column] = ink < FAINTEST ? 0 : ink;
    }
  }
}
