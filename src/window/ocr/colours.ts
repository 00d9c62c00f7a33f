import type { Box } from '../detect/element.ts';
import type { Pixels } from '../image/pixels.ts';

/** Colours are counted in steps of 8 levels: a gradient is one ground. */
const STEP_BITS = 3;

/** The pixels of a box, to be looked at by place (row by row) and painted over. */
export class Colours {
  readonly width: number;
  readonly height: number;
  readonly #rgb: Uint8Array;

  constructor({ width, data }: Pixels, { x0, y0, x1, y1 }: Box) {
    this.width = x1 - x0;
    this.height = y1 - y0;
    this.#rgb = new Uint8Array(this.width * this.height * 3);
    for (let y = y0; y < y1; y++)
      this.#rgb.set(data.subarray((y * width + x0) * 3, (y * width + x1) * 3), (y - y0) * this.width * 3);
  }

  /** Mean of the most frequent step of colours. */
  common(isCounted: (place: number) => boolean = () => true): number[] {
    const sums = new Map<number, [count: number, red: number, green: number, blue: number]>();
    for (let place = 0; place < this.width * this.height; place++) {
      if (!isCounted(place)) continue;
      const [red, green, blue] = [this.channel(place, 0), this.channel(place, 1), this.channel(place, 2)];
      const key = ((red >> STEP_BITS) << 10) | ((green >> STEP_BITS) << 5) | (blue >> STEP_BITS);
      const sum = sums.get(key);
      if (sum) {
        sum[0]++;
        sum[1] += red;
        sum[2] += green;
        sum[3] += blue;
      } else sums.set(key, [1, red, green, blue]);
    }
    let [count, red, green, blue] = [0, 0, 0, 0];
    for (const sum of sums.values()) if (sum[0] > count) [count, red, green, blue] = sum;
    return [red / count, green / count, blue / count];
  }

  /** Largest difference of a channel, levels. */
  distance(place: number, colour: readonly number[]): number {
    let most = 0;
    for (let c = 0; c < 3; c++)
      most = Math.max(most, Math.abs(this.channel(place, c) - (colour[c] as number)));
    return most;
  }

  channel(place: number, c: number): number {
    return this.#rgb[place * 3 + c] as number;
  }

  paint(place: number, colour: readonly number[]): void {
    this.#rgb.set(colour.map(Math.round), place * 3);
  }
}
