import type { Instruction } from '../program/instruction.ts';
import type { Subject } from '../program/operand.ts';
import type { Wish, Wishes } from '../rig/rig.ts';
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

/** The bounds of a goal: those in force, and those that will come (language specification, section 6.4). */
export class BoundBook {
  readonly #planned: ReadonlySet<BoundInstruction>;
  readonly #seen = new Set<BoundInstruction>();
  #active: Bound[] = [];

  constructor(planned: readonly BoundInstruction[]) {
    this.#planned = new Set(planned);
  }

  /** Puts a bound in force; it replaces earlier ones on the same side. */
  declare(bound: Bound): void {
    this.#seen.add(bound.instruction);
    for (const earlier of this.#active) {
      if (earlier.key !== bound.key) continue;
      if (bound.low) earlier.low = undefined;
      if (bound.high) earlier.high = undefined;
    }
    this.#active = [...this.#active.filter(({ low, high }) => low || high), bound];
  }

  activeFor(key: string): readonly Bound[] {
    return this.#active.filter((bound) => bound.key === key);
  }

  /** Bounds in force that never judged anything. */
  unmet(): readonly Bound[] {
    return this.#active.filter(({ met }) => !met);
  }

  /** Bounds that this goal still may reach. */
  coming(): readonly BoundInstruction[] {
    return [...this.#planned].filter((one) => !this.#seen.has(one));
  }
}

/** What bounds ask of a reading in a dry-run: those in force first, then those to come. */
export function boundWishes(active: readonly Bound[], coming: readonly Wish[]): Wishes {
  return [active.flatMap(({ low, high }) => [...wishOf('>=', low), ...wishOf('<=', high)]), coming];
}

export function wishOf(operator: Wish['operator'], limit: Limit | undefined): Wish[] {
  if (!limit || !Number.isFinite(limit.value)) return [];
  return [{ operator, value: limit.value, ...(limit.unit === undefined ? {} : { unit: limit.unit }) }];
}
