import { convert, findUnit } from '../../rig/units/units.ts';
import { chooseValue, meets, type Wish, type Wishes } from './choose-value.ts';
import { type Node, pointOf } from './node.ts';

/** The values in one dimension: one scale of a sensor knows nothing of another one. */
export interface Scale {
  readonly unit: string | undefined;
  /** One for a reading, all of them for a window; in `unit`. */
  points: number[];
}

/** What an earlier pass found out: points by choice and dimension. */
export type Table = Map<string, readonly number[]>;

interface ChosenParts {
  readonly key: string;
  /** The one it is asked in first; undefined for a number that takes any. */
  readonly unit: string | undefined;
  readonly table: Table;
  /** What the bounds of the goal ask of it at this moment. */
  readonly wishesOfBounds: () => Wishes;
  /** The value that it has by itself, and keeps where that will do. */
  readonly natural?: ((unit: string) => number | undefined) | undefined;
}

/** Something that a rehearsal chooses: a reading, the points of a window, what a person answers. */
export class Chosen {
  /** What the command at hand asks of it. */
  wishes: readonly Wish[] = [];
  /** Points of a window that were read. */
  taken = 0;
  /** The only point of a reading. */
  readonly point: Node = pointOf(this, 0);
  readonly #parts: ChosenParts;
  readonly #scales = new Map<string, Scale>();

  constructor(parts: ChosenParts) {
    this.#parts = parts;
  }

  get unit(): string | undefined {
    return this.#parts.unit;
  }

  /** Its scales by their keys in the table. */
  get scales(): Iterable<readonly [key: string, scale: Scale]> {
    return this.#scales;
  }

  scaleOf(unit: string | undefined): Scale {
    const isPlain = this.unit === undefined || unit === undefined;
    const key = `${this.#parts.key} ${isPlain ? '' : (findUnit(unit)?.dimension ?? unit)}`;
    let scale = this.#scales.get(key);
    if (!scale) {
      const points = this.#parts.table.get(key) ?? [];
      const isOutdated = points.length === 1 && !meets(points[0]!, unit, [this.wishes]);
      scale = { unit: isPlain ? undefined : unit, points: isOutdated ? [] : points.slice() };
      this.#scales.set(key, scale);
    }
    return scale;
  }

  /** The value of the nth point, chosen when it is asked for first. */
  value(unit = this.unit, n = 0): number {
    const scale = this.scaleOf(unit);
    const value = scale.points[n] ?? this.#choose(scale.unit);
    scale.points[n] = value;
    if (scale.unit === undefined || unit === undefined) return value;
    return convert(value, scale.unit, unit) ?? value;
  }

  #choose(unit: string | undefined): number {
    const wishes = [this.wishes, ...this.#parts.wishesOfBounds()];
    const natural = unit === undefined ? undefined : this.#parts.natural?.(unit);
    return natural !== undefined && meets(natural, unit, wishes) ? natural : chooseValue(wishes, unit);
  }
}
