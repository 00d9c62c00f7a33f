import type { Instruction } from '../program/instruction.ts';
import type { Subject } from '../program/operand.ts';
import type { Limit } from './limit.ts';

export type BoundInstruction = Extract<Instruction, { op: 'bound' }>;

/** A bound in force. */
export interface Bound {
  readonly instruction: BoundInstruction;
  readonly subject: Subject;
  readonly key: string;
  /** Sides that no later bound has replaced. */
  low: Limit | undefined;
  high: Limit | undefined;
  /** It has judged a reading. */
  met: boolean;
}

/** The key of what an instruction bounds; undefined while only the run itself can determine. */
type KeyOf = (instruction: BoundInstruction) => string | undefined;

/** The bounds of a goal: those in force, and those that will come. */
export class BoundBook {
  readonly #order: ReadonlyMap<BoundInstruction, number>;
  readonly #coming: Map<string | undefined, Set<BoundInstruction>>;
  readonly #keyOf: KeyOf;
  readonly #unjudged = new Set<Bound>();
  readonly #active = new Set<Bound>();
  readonly #activeByKey = new Map<string, readonly Bound[]>();

  /** @param keyOf its answer for an instruction never changes */
  constructor(planned: readonly BoundInstruction[], keyOf: KeyOf) {
    this.#order = new Map(planned.map((instruction, index) => [instruction, index]));
    this.#coming = new Map();
    this.#keyOf = keyOf;
    for (const instruction of planned) {
      const key = keyOf(instruction);
      const known = this.#coming.get(key);
      if (known) known.add(instruction);
      else this.#coming.set(key, new Set([instruction]));
    }
  }

  /** Puts a bound in force; it replaces earlier ones on the same side. An open side replaces none. */
  declare(bound: Bound): void {
    this.#coming.get(this.#keyOf(bound.instruction))?.delete(bound.instruction);
    for (const earlier of this.activeFor(bound.key)) {
      for (const side of ['low', 'high'] as const) {
        const [old, now] = [earlier[side], bound[side]];
        if (!old || !now || (!Number.isFinite(now.value) && Number.isFinite(old.value))) continue;
        if (!earlier.met && Number.isFinite(old.value) && !isSame(old, now)) this.#unjudged.add(earlier);
        earlier[side] = undefined;
      }
      if (!earlier.low && !earlier.high) this.#active.delete(earlier);
    }
    this.#active.add(bound);
    this.#activeByKey.set(bound.key, [
      ...this.activeFor(bound.key).filter((earlier) => this.#active.has(earlier)),
      bound,
    ]);
  }

  activeFor(key: string): readonly Bound[] {
    return this.#activeByKey.get(key) ?? [];
  }

  /** Bounds that were replaced on a side before they judged anything. */
  unjudged(): readonly Bound[] {
    return [...this.#unjudged];
  }

  /** What they bound has no value any more: they have to meet the next one. */
  expectAgain(key: string): void {
    for (const bound of this.activeFor(key)) bound.met = false;
  }

  /** Bounds in force that never judged anything. */
  unmet(): readonly Bound[] {
    return [...this.#active].filter(({ met }) => !met);
  }

  /**
   * Bounds with this key that this goal still may reach, in their order.
   * @param keyNow of those whose key may change
   */
  coming(key: string, keyNow: KeyOf): Iterable<BoundInstruction> {
    const own = this.#coming.get(key) ?? [];
    const open = [...(this.#coming.get(undefined) ?? [])].filter((one) => keyNow(one) === key);
    if (open.length === 0) return own;
    const place = (instruction: BoundInstruction) => this.#order.get(instruction) ?? 0;
    return [...own, ...open].sort((a, b) => place(a) - place(b));
  }
}

const isSame = (a: Limit, b: Limit): boolean => a.value === b.value && a.unit === b.unit;
