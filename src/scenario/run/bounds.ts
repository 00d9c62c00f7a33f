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

/** The bounds of a goal: those in force, and those that will come (language specification, section 6.4). */
export class BoundBook {
  readonly #planned: ReadonlySet<BoundInstruction>;
  readonly #seen = new Set<BoundInstruction>();
  readonly #unjudged = new Set<Bound>();
  #active: Bound[] = [];

  constructor(planned: readonly BoundInstruction[]) {
    this.#planned = new Set(planned);
  }

  /** Puts a bound in force; it replaces earlier ones on the same side. An open side replaces none. */
  declare(bound: Bound): void {
    this.#seen.add(bound.instruction);
    for (const earlier of this.activeFor(bound.key))
      for (const side of ['low', 'high'] as const) {
        const [old, now] = [earlier[side], bound[side]];
        if (!old || !now || (!Number.isFinite(now.value) && Number.isFinite(old.value))) continue;
        if (!earlier.met && Number.isFinite(old.value) && !isSame(old, now)) this.#unjudged.add(earlier);
        earlier[side] = undefined;
      }
    this.#active = [...this.#active.filter(({ low, high }) => low || high), bound];
  }

  activeFor(key: string): readonly Bound[] {
    return this.#active.filter((bound) => bound.key === key);
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
    return this.#active.filter(({ met }) => !met);
  }

  /** Bounds that this goal still may reach. */
  coming(): readonly BoundInstruction[] {
    return [...this.#planned].filter((one) => !this.#seen.has(one));
  }
}

const isSame = (a: Limit, b: Limit): boolean => a.value === b.value && a.unit === b.unit;
