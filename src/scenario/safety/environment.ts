import {
  type Alternatives,
  ANY,
  joinAlternatives,
  MEASURED,
  sameAlternatives,
  UNSET,
  widen,
} from './abstract-value.ts';

/** Statistics that SAMPLE leaves behind; they follow from readings. */
const STATISTIC = /\.(count|min|max|avg|last|stddev|first|delta)$/;

/** What each variable may be at one point of the scenario. Immutable. */
export class Environment {
  readonly #values: ReadonlyMap<string, Alternatives>;
  /** Given for the run: the interpreter refuses to change them. */
  readonly #given: ReadonlyMap<string, Alternatives>;
  /** A variable was set whose name is known only when it runs: every one may be anything. */
  readonly #lost: boolean;

  constructor(
    values: Iterable<readonly [string, Alternatives]> = [],
    given: ReadonlyMap<string, Alternatives> = new Map(),
    lost = false,
  ) {
    this.#values = new Map(values);
    this.#given = given;
    this.#lost = lost;
  }

  get(name: string): Alternatives {
    const given = this.#given.get(name);
    if (given) return given;
    const known = this.#values.get(name) ?? [UNSET];
    if (this.#lost) return [UNSET, ANY];
    return STATISTIC.test(name) ? joinAlternatives(known, [MEASURED]) : known;
  }

  set(name: string, value: Alternatives): Environment {
    const before = this.#values.get(name);
    if (this.#given.has(name) || (before && sameAlternatives(before, value))) return this;
    return new Environment(new Map(this.#values).set(name, value), this.#given, this.#lost);
  }

  /** After a variable was set that no one can name. */
  lose(): Environment {
    return this.#lost ? this : new Environment(this.#values, this.#given, true);
  }

  join(other: Environment): Environment {
    if (other === this) return this;
    return this.#merge(other, joinAlternatives);
  }

  /** The same, with an end for values that grow from round to round. */
  widen(other: Environment): Environment {
    return this.#merge(other, widen);
  }

  #merge(other: Environment, merge: (a: Alternatives, b: Alternatives) => Alternatives): Environment {
    const names = new Set([...this.#values.keys(), ...other.#values.keys()]);
    let merged: Environment = this.#lost || !other.#lost ? this : this.lose();
    for (const name of names)
      merged = merged.set(name, merge(this.#values.get(name) ?? [UNSET], other.#values.get(name) ?? [UNSET]));
    return merged;
  }

  /** @param but a name that does not count */
  same(other: Environment, but?: string): boolean {
    if (other === this) return true;
    if (this.#lost !== other.#lost) return false;
    const names = new Set([...this.#values.keys(), ...other.#values.keys()]);
    return [...names].every(
      (name) =>
        name === but ||
        sameAlternatives(this.#values.get(name) ?? [UNSET], other.#values.get(name) ?? [UNSET]),
    );
  }
}
