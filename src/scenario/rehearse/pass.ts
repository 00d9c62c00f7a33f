import { convert } from '../../rig/units/units.ts';
import type { Instruction } from '../program/instruction.ts';
import { RunFault } from '../rig/fault.ts';
import type { ReadRequest } from '../rig/rig.ts';
import type { GoalContext } from '../run/goal-context.ts';
import { comingLimits, type Sides } from '../run/judge-bounds.ts';
import { tidy, type Wish, type Wishes } from './choose-value.ts';
import { Chosen, type Scale, type Table } from './chosen.ts';
import { type Constraint, isMet, meetAll } from './constraint.ts';
import type { GivenSensors } from './given-sensors.ts';
import { constant, type Node, pointOf } from './node.ts';

/** What the passes over one scenario share. */
export class Memory {
  readonly given: GivenSensors;
  readonly table: Table = new Map();
  readonly #ids = new Map<Instruction, number>();

  constructor(given: GivenSensors) {
    this.given = given;
  }

  idOf(instruction: Instruction): number {
    const id = this.#ids.get(instruction) ?? this.#ids.size;
    this.#ids.set(instruction, id);
    return id;
  }
}

/** More would take days: loops in loops. */
const COMMAND_LIMIT = 200_000;
/** Constraints that are tried one by one when they do not hold together. */
const MOST_ATTEMPTS = 100;

/** One pass through a scenario: what is chosen where, what follows from it, and what it has to meet. */
export class Pass {
  readonly memory: Memory;
  /** The windows that were opened last, by key of the sampled thing. */
  readonly windows = new Map<string, Chosen>();
  readonly #constraints: Constraint[] = [];
  readonly #chosen: Chosen[] = [];
  readonly #visits = new Map<Instruction, number>();
  readonly #nodes = new WeakMap<object, Node>();
  #choices = new Map<string, Chosen>();
  #goal: GoalContext | undefined;
  #instruction: Instruction | undefined;
  #key = '';

  constructor(memory: Memory) {
    this.memory = memory;
  }

  /** The command at hand. */
  get instruction(): Instruction | undefined {
    return this.#instruction;
  }

  /** True when some value is not one that was given. */
  get hasChosen(): boolean {
    return this.#chosen.length > 0;
  }

  /** Comes to an instruction. @throws RunFault SCN407 when there were too many */
  enter(instruction: Instruction, goal: GoalContext): void {
    if (goal.run.commands > COMMAND_LIMIT)
      throw new RunFault('SCN407', `the dry-run was ended after ${COMMAND_LIMIT} commands`, { scope: 'run' });
    const visit = (this.#visits.get(instruction) ?? 0) + 1;
    this.#visits.set(instruction, visit);
    this.#instruction = instruction;
    this.#goal = goal;
    this.#key = `${this.memory.idOf(instruction)} ${visit}`;
    this.#choices = new Map();
  }

  fill(text: string): string {
    return this.#goal?.run.strictText(text) ?? text;
  }

  /** Something that this command chooses. @param ownUnit what a bound without a unit means */
  choose(key: string, unit: string | undefined, ownUnit = unit): Chosen {
    const goal = this.#goal;
    const chosen = new Chosen({
      key: `${this.#key} ${key}`,
      unit,
      table: this.memory.table,
      wishesOfBounds: () => (goal ? wishesOfBounds(key, ownUnit, goal) : []),
      natural: goal && key === 'timer' ? (asked) => convert(goal.timerMs(), 'ms', asked) : undefined,
    });
    this.#chosen.push(chosen);
    return chosen;
  }

  /** What the command at hand reads under this key, once. */
  choice(key: string, unit: string | undefined, ownUnit?: string): Chosen {
    const choice = this.#choices.get(key) ?? this.choose(key, unit, ownUnit);
    this.#choices.set(key, choice);
    return choice;
  }

  /** A reading is taken, and the bounds in force judge it. @returns what it follows from */
  reading({ name, id, unit, ownUnit, background }: ReadRequest): Node {
    const own = ownUnit ?? undefined;
    const key = own === undefined ? `unknown:${name}` : id;
    const window = background ? this.windows.get(key) : undefined;
    const node = window ? pointOf(window, window.taken++) : this.choice(key, unit ?? own, own).point;
    // A sample point is read while some other command runs, which has nothing to do with it.
    this.requireBounds(node, key, { ownUnit: own, isTold: !window });
    return node;
  }

  /** What a reading, by its scales, or a variable follows from; undefined when from nothing that was chosen. */
  nodeOf(value: object | undefined): Node | undefined {
    return value && this.#nodes.get(value);
  }

  link(value: object | undefined, node: Node | undefined): void {
    if (value && node) this.#nodes.set(value, node);
  }

  /** The bounds in force. */
  requireBounds(node: Node, key: string, how: { ownUnit?: string | undefined; isTold?: boolean } = {}): void {
    for (const bound of this.#goal?.bounds.activeFor(key) ?? [])
      for (const { operator, ...limit } of wishesOf(bound, how.ownUnit))
        this.require({ left: node, operator, right: constant(limit) }, how.isTold);
  }

  /** Something should hold that the run judges. */
  require(constraint: Constraint, isTold = !constraint.isOptional): void {
    if (constraint.left.isFixed && constraint.right.isFixed) return;
    this.#constraints.push(constraint);
    if (isTold && !isMet(constraint)) this.#tellContradiction();
  }

  #tellContradiction(): void {
    const [goal, instruction] = [this.#goal, this.#instruction];
    if (!goal || !instruction) return;
    const message = `no readings meet "${instruction.text}" together with what else the goal asks of them`;
    goal.run.diagnose('SCN243', message, goal.place(instruction.pos));
  }

  /**
   * Looks for readings that meet more than those of this pass: first of what is judged, then of the branches to be taken.
   * @returns false when there is nothing to be bettered
   */
  improve(): boolean {
    const before = this.#points();
    const judged = this.#constraints.filter(({ isOptional }) => !isOptional);
    const kept = judged.filter(isMet);
    const unmet = judged.filter((one) => !isMet(one));
    if (this.#attempt(judged)) kept.push(...unmet);
    else for (const one of unmet.slice(0, MOST_ATTEMPTS)) if (this.#attempt([...kept, one])) kept.push(one);
    for (const one of this.#constraints)
      if (one.isOptional && (isMet(one) || this.#attempt([...kept, one]))) kept.push(one);
    let isBetter = false;
    for (const [key, scale] of this.#scales()) {
      const earlier = before.get(scale);
      if (scale.points.every((value, n) => value === earlier?.[n])) continue;
      this.memory.table.set(key, scale.points.map(tidy));
      isBetter = true;
    }
    return isBetter;
  }

  /** Moves nothing where the constraints do not hold together. */
  #attempt(constraints: readonly Constraint[]): boolean {
    const before = this.#points();
    const holds = meetAll(constraints);
    if (!holds) for (const [scale, points] of before) scale.points = points;
    return holds;
  }

  #scales(): (readonly [key: string, scale: Scale])[] {
    return this.#chosen.flatMap(({ scales }) => [...scales]);
  }

  #points(): Map<Scale, number[]> {
    return new Map(this.#scales().map(([, scale]) => [scale, scale.points.slice()]));
  }
}

const wishesOfBounds = (key: string, ownUnit: string | undefined, goal: GoalContext): Wishes => [
  goal.bounds.activeFor(key).flatMap((bound) => wishesOf(bound, ownUnit)),
  comingLimits(key, goal).flatMap((sides) => wishesOf(sides, ownUnit)),
];

function wishesOf({ low, high }: Sides, ownUnit: string | undefined): Wish[] {
  const sides = [
    ['>=', low],
    ['<=', high],
  ] as const;
  return sides.flatMap(([operator, limit]) =>
    limit && Number.isFinite(limit.value) ? [{ operator, ...limit, unit: limit.unit ?? ownUnit }] : [],
  );
}
