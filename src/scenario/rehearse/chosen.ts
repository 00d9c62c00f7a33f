import { convert, findUnit } from '../../rig/units/units.ts';
import { type Constraint, type ConstraintGroups, chooseValue, meets } from './choose-value.ts';
import { type Node, pointOf } from './node.ts';

/** The values in one dimension. Those on another scale of the same sensor are independent of them. */
export interface Scale {
  readonly unit: string | undefined;
  /** One for a reading, all of them for a window; in `unit`. */
  points: number[];
}

/** Points that an earlier pass found, by key of their scale. */
export type Table = Map<string, readonly number[]>;

interface ChosenParts {
  readonly key: string;
  /** The unit it is read in; undefined for a number that takes any. */
  readonly unit: string | undefined;
  readonly table: Table;
  /** The bounds of the goal in force and still to come, now. */
  readonly constraintsOfBounds: () => ConstraintGroups;
  /** The value that it has by itself, and keeps where that satisfies the constraints. */
  readonly natural?: ((unit: string) => number | undefined) | undefined;
}

/** A value that a rehearsal chooses: a reading, the points of a window, the answer of a person. */
export class Chosen {
  /** The condition of the command at hand. */
  constraints: readonly Constraint[] = [];
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

  /** Its scales, by their keys in the table. */
  get scales(): Iterable<readonly [key: string, scale: Scale]> {
    return this.#scales;
  }

  scaleOf(unit: string | undefined): Scale {
    const isPlain = this.unit === undefined || unit === undefined;
    const key = `${this.#parts.key} ${isPlain ? '' : (findUnit(unit)?.dimension ?? unit)}`;
    let scale = this.#scales.get(key);
    if (!scale) {
      const points = this.#parts.table.get(key) ?? [];
      const isOutdated = points.length === 1 && !meets(points[0]!, unit, [this.constraints]);
      scale = { unit: isPlain ? undefined : unit, points: isOutdated ? [] : points.slice() };
      this.#scales.set(key, scale);
    }
    return scale;
  }

  /** The value of the nth point, chosen when it is first read. */
  value(unit = this.unit, n = 0): number {
    const scale = this.scaleOf(unit);
    const value = scale.points[n] ?? this.#choose(scale.unit);
    scale.points[n] = value;
    if (scale.unit === undefined || unit === undefined) return value;
    return convert(value, scale.unit, unit) ?? value;
  }

  #choose(unit: string | undefined): number {
    const constraints = [this.constraints, ...this.#parts.constraintsOfBounds()];
    const natural = unit === undefined ? undefined : this.#parts.natural?.(unit);
    return natural !== undefined && meets(natural, unit, constraints)
      ? natural
      : chooseValue(constraints, unit);
  }
}
