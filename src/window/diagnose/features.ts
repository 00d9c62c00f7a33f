import type { BlockMap } from '../fingerprint/block-map.ts';
import { colorText } from '../grid/cells.ts';
import type { Pixels } from '../image/pixels.ts';
import { isBlank } from './blank.ts';

/** What is measured of a picture without understanding it. Shares are 0..1. */
export interface Features {
  blank: boolean;
  colors: {
    /** Different colours, 4 bits a channel. */
    distinct: number;
    /** Most frequent ones with their share. */
    dominant: { color: string; share: number }[];
    /** Mean distance of the channels, 0..1. */
    saturation: number;
  };
  luminance: { mean: number; deviation: number; min: number; max: number; dark_theme: boolean };
  edges: {
    /** Share of pixels at which it gets brighter or darker by 32 levels or more. */
    density: number;
  };
  /** How much of the picture changes as often as letters do. */
  text_likelihood: number;
  /** Repetition of lines at one distance, as in tables and lists; `period` in pixels, null without one. */
  regular_pattern: { score: number; period: number | null; direction: 'rows' | 'columns' | null };
  /** Even areas of one hundredth of the picture and more. */
  large_regions: { count: number; largest_share: number };
}

const EDGE = 32;
const DOMINANT = 5;

export function featuresOf(pixels: Pixels, map: BlockMap): Features {
  const { width, height, data } = pixels;
  const counts = new Map<number, { count: number; red: number; green: number; blue: number }>();
  const [rowEdges, columnEdges] = [new Float64Array(height), new Float64Array(width)];
  let [sum, squares, min, max, saturation, edges] = [0, 0, 255, 0, 0, 0];
  const busy = new BusyParts(width, height);
  let above = new Uint8Array(width);
  for (let y = 0, at = 0; y < height; y++) {
    const row = new Uint8Array(width);
    for (let x = 0; x < width; x++, at += 3) {
      const [red, green, blue] = [data[at] as number, data[at + 1] as number, data[at + 2] as number];
      const luma = Math.round(0.299 * red + 0.587 * green + 0.114 * blue);
      row[x] = luma;
      sum += luma;
      squares += luma * luma;
      min = Math.min(min, luma);
      max = Math.max(max, luma);
      saturation += Math.max(red, green, blue) - Math.min(red, green, blue);
      const key = ((red >> 4) << 8) | ((green >> 4) << 4) | (blue >> 4);
      const known = counts.get(key);
      if (!known) counts.set(key, { count: 1, red, green, blue });
      else {
        known.count++;
        known.red += red;
        known.green += green;
        known.blue += blue;
      }
      const across = x > 0 && Math.abs(luma - (row[x - 1] as number)) >= EDGE;
      const down = y > 0 && Math.abs(luma - (above[x] as number)) >= EDGE;
      if (across || down) edges++;
      if (across) {
        columnEdges[x] = (columnEdges[x] as number) + 1;
        busy.note(x, y);
      }
      if (down) rowEdges[y] = (rowEdges[y] as number) + 1;
    }
    above = row;
  }
  const pixelCount = width * height;
  const mean = sum / pixelCount;
  const dominant = [...counts.entries()]
    .sort(([a, one], [b, other]) => other.count - one.count || a - b)
    .slice(0, DOMINANT)
    .map(([, { count, red, green, blue }]) => ({
      color: colorText([red / count, green / count, blue / count]),
      share: round4(count / pixelCount),
    }));
  return {
    blank: isBlank(pixels),
    colors: { distinct: counts.size, dominant, saturation: round4(saturation / pixelCount / 255) },
    luminance: {
      mean: round4(mean),
      deviation: round4(Math.sqrt(Math.max(0, squares / pixelCount - mean * mean))),
      min,
      max,
      dark_theme: mean < 96,
    },
    edges: { density: round4(edges / pixelCount) },
    text_likelihood: busy.share(),
    regular_pattern: regularPattern(rowEdges, columnEdges),
    large_regions: largeRegions(map),
  };
}

const PART_WIDTH = 24;
const PART_HEIGHT = 12;
/** Edges of a part that holds letters: a line of text 12 px high has 4 and more in 24 px of each of its rows. */
const LETTERS = 16;
/** Share of such parts at which nothing but text remains. */
const FULL_OF_TEXT = 0.25;

/** Parts of the picture in which it changes from left to right as often as in text. */
class BusyParts {
  readonly #columns: number;
  readonly #counts: Uint16Array;

  constructor(width: number, height: number) {
    this.#columns = Math.ceil(width / PART_WIDTH);
    this.#counts = new Uint16Array(this.#columns * Math.ceil(height / PART_HEIGHT));
  }

  note(x: number, y: number): void {
    const part = Math.floor(y / PART_HEIGHT) * this.#columns + Math.floor(x / PART_WIDTH);
    this.#counts[part] = (this.#counts[part] as number) + 1;
  }

  share(): number {
    const busy = this.#counts.reduce((sum, count) => sum + (count >= LETTERS ? 1 : 0), 0);
    return round4(Math.min(1, busy / this.#counts.length / FULL_OF_TEXT));
  }
}

const SHORTEST_PERIOD = 8;
const LONGEST_PERIOD = 200;
const CLEAR_PATTERN = 0.3;

function regularPattern(rows: Float64Array, columns: Float64Array): Features['regular_pattern'] {
  const [down, across] = [strongestPeriod(rows), strongestPeriod(columns)];
  const best = down.score >= across.score ? down : across;
  if (best.score < CLEAR_PATTERN) return { score: round4(best.score), period: null, direction: null };
  return { score: round4(best.score), period: best.period, direction: best === down ? 'rows' : 'columns' };
}

/** The distance at which a series looks most like itself, 0..1. */
function strongestPeriod(series: Float64Array): { score: number; period: number } {
  const mean = series.reduce((sum, value) => sum + value, 0) / Math.max(1, series.length);
  const centred = series.map((value) => value - mean);
  const energy = centred.reduce((sum, value) => sum + value * value, 0);
  let best = { score: 0, period: 0 };
  if (energy === 0) return best;
  for (let period = SHORTEST_PERIOD; period <= Math.min(LONGEST_PERIOD, series.length / 3); period++) {
    let sum = 0;
    for (let at = period; at < centred.length; at++)
      sum += (centred[at] as number) * (centred[at - period] as number);
    const score = sum / energy;
    if (score > best.score) best = { score, period };
  }
  return best;
}

const SAME_LEVEL = 6;
const LARGE = 0.01;

/** Connected even areas of the block map. */
function largeRegions({ luma, columns, rows }: BlockMap): Features['large_regions'] {
  const seen = new Uint8Array(luma.length);
  const sizes: number[] = [];
  for (let start = 0; start < luma.length; start++) {
    if (seen[start] === 1) continue;
    const members = [start];
    seen[start] = 1;
    for (let next = 0; next < members.length; next++) {
      const index = members[next] as number;
      const x = index % columns;
      for (const other of [
        x > 0 ? index - 1 : -1,
        x + 1 < columns ? index + 1 : -1,
        index - columns,
        index + columns < columns * rows ? index + columns : -1,
      ]) {
        if (other < 0 || seen[other] === 1) continue;
        if (Math.abs((luma[other] as number) - (luma[index] as number)) > SAME_LEVEL) continue;
        seen[other] = 1;
        members.push(other);
      }
    }
    if (members.length / luma.length >= LARGE) sizes.push(members.length);
  }
  return { count: sizes.length, largest_share: round4(Math.max(0, ...sizes) / luma.length) };
}

function round4(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}
