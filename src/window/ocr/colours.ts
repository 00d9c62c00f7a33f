import type { Box } from '../detect/element.ts';
import type { Pixels } from '../image/pixels.ts';

/** Colours are counted in steps of 8 levels: a gradient is one ground. */
const STEP_BITS = 3;

type Sum = [count: number, red: number, green: number, blue: number];

/** With room between the channels, so that a step next to the last one is none of the next channel. */
const keyOf = (red: number, green: number, blue: number): number => (red << 14) | (green << 7) | blue;
const SIDES = [-1, 0, 1];
const BESIDE = SIDES.flatMap((red) =>
  SIDES.flatMap((green) => SIDES.map((blue) => red * (1 << 14) + green * (1 << 7) + blue)),
);

function add(sum: Sum, other: Sum): void {
  for (let i = 0; i < sum.length; i++) sum[i] = (sum[i] as number) + (other[i] as number);
}

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

  /**
   * Mean of the most frequent colour: of a step and those next to it, since noise spreads a ground over several steps, while the white of
   * letters stays in one. @param places those that are counted, all without them
   */
  common(places?: readonly number[]): number[] {
    const rgb = this.#rgb;
    const steps = new Map<number, Sum>();
    let sum: Sum = [0, 0, 0, 0];
    let last = -1;
    const count = places?.length ?? this.width * this.height;
    for (let i = 0; i < count; i++) {
      const at = 3 * (places ? (places[i] as number) : i);
      const [red, green, blue] = [rgb[at] as number, rgb[at + 1] as number, rgb[at + 2] as number];
      const key = keyOf(red >> STEP_BITS, green >> STEP_BITS, blue >> STEP_BITS);
      // Neighbours are mostly of one step, which is then looked up once.
      if (key !== last) {
        sum = steps.get(key) ?? [0, 0, 0, 0];
        steps.set(key, sum);
        last = key;
      }
      sum[0]++;
      sum[1] += red;
      sum[2] += green;
      sum[3] += blue;
    }
    let best: Sum = [0, 0, 0, 0];
    for (const key of steps.keys()) {
      const sum: Sum = [0, 0, 0, 0];
      for (const beside of BESIDE) {
        const other = steps.get(key + beside);
        if (other) add(sum, other);
      }
      if (sum[0] > best[0]) best = sum;
    }
    const [most, red, green, blue] = best;
    return [red / most, green / most, blue / most];
  }

  /** Largest difference of a channel, levels. */
  distance(place: number, colour: readonly number[]): number {
    const [rgb, at] = [this.#rgb, place * 3];
    return Math.max(
      Math.abs((rgb[at] as number) - (colour[0] as number)),
      Math.abs((rgb[at + 1] as number) - (colour[1] as number)),
      Math.abs((rgb[at + 2] as number) - (colour[2] as number)),
    );
  }

  channel(place: number, c: number): number {
    return this.#rgb[place * 3 + c] as number;
  }

  paint(place: number, colour: readonly number[]): void {
    this.#rgb.set(colour.map(Math.round), place * 3);
  }
}
