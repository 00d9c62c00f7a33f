import { convert } from '../../rig/units/units.ts';
import type { Instruction } from '../program/instruction.ts';
import { RunFault } from '../rig/fault.ts';
import type { ReadRequest } from '../rig/rig.ts';
import type { GoalContext } from '../run/goal-context.ts';
import { comingLimits, type Sides } from '../run/judge-bounds.ts';
import type { Limit } from '../run/limit.ts';
import { type Constraint, type ConstraintGroups, tidy } from './choose-value.ts';
import { Chosen, type Scale, type Table } from './chosen.ts';
import type { GivenSensors } from './given-sensors.ts';
import { constant, type Node, pointOf } from './node.ts';
import { holds, type Relation, satisfyAll } from './relation.ts';

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

/** Loops within loops would run for days. */
const COMMAND_LIMIT = 200_000;
/** Relations that are tried one by one when they do not all hold together. */
const MOST_ATTEMPTS = 100;

/** One pass through a scenario: the values chosen where, what follows from them, and the relations that should hold. */
export class Pass {
  readonly memory: Memory;
  /** Nothing is looked for after it. */
  readonly #isLast: boolean;
  /** The points of the window that was opened last for each key. */
  readonly windows = new Map<string, Chosen>();
  readonly #relations: Relation[] = [];
  readonly #chosen: Chosen[] = [];
  readonly #visits = new Map<Instruction, number>();
  readonly #nodes = new WeakMap<object, Node>();
  #choices = new Map<string, Chosen>();
  #goal: GoalContext | undefined;
  #instruction: Instruction | undefined;
  #key = '';

  constructor(memory: Memory, isLast = false) {
    this.memory = memory;
    this.#isLast = isLast;
  }

  /** The command at hand. */
  get instruction(): Instruction | undefined {
    return this.#instruction;
  }

  /** True when a value was chosen, and not given. */
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

  /** A new value for the command at hand. @param ownUnit the unit of a bound without one */
  choose(key: string, unit: string | undefined, ownUnit = unit): Chosen {
    const goal = this.#goal;
    const chosen = new Chosen({
      key: `${this.#key} ${key}`,
      unit,
      table: this.memory.table,
      constraintsOfBounds: () => (goal ? constraintsOfBounds(key, ownUnit, goal) : []),
      natural: goal && key === 'timer' ? (asked) => convert(goal.timerMs(), 'ms', asked) : undefined,
    });
    this.#chosen.push(chosen);
    return chosen;
  }

  /** The value that the command at hand reads under a key, chosen once. */
  choice(key: string, unit: string | undefined, ownUnit?: string): Chosen {
    const choice = this.#choices.get(key) ?? this.choose(key, unit, ownUnit);
    this.#choices.set(key, choice);
    return choice;
  }

  /** Takes a reading, which the bounds in force judge. @returns what it follows from */
  reading({ name, id, unit, ownUnit, background }: ReadRequest): Node {
    const own = ownUnit ?? undefined;
    const key = own === undefined ? `unknown:${name}` : id;
    const window = background ? this.windows.get(key) : undefined;
    const node = window ? pointOf(window, window.taken++) : this.choice(key, unit ?? own, own).point;
    // A sample point is read while some other command runs, which has nothing to do with it.
    const isReported = !window;
    if (isReported || !this.#isLast) this.requireBounds(node, key, { ownUnit: own, isReported });
    return node;
  }

  /** What a variable, or the `recompute` of a reading, follows from; undefined for one that was given or written down. */
  nodeOf(value: object | undefined): Node | undefined {
    return value && this.#nodes.get(value);
  }

  link(value: object | undefined, node: Node | undefined): void {
    if (value && node) this.#nodes.set(value, node);
  }

  /** The bounds in force judge the number. */
  requireBounds(
    node: Node,
    key: string,
    how: { ownUnit?: string | undefined; isReported?: boolean } = {},
  ): void {
    for (const bound of this.#goal?.bounds.activeFor(key) ?? [])
      for (const { operator, ...limit } of constraintsOf(bound, how.ownUnit))
        this.require({ left: node, operator, right: constant(limit) }, how.isReported);
  }

  /** The run compares two numbers: the relation should hold. */
  require(relation: Relation, isReported = !relation.isOptional): void {
    if (relation.left.isFixed && relation.right.isFixed) return;
    if (!this.#isLast) this.#relations.push(relation);
    if (isReported && !holds(relation)) this.#reportContradiction();
  }

  #reportContradiction(): void {
    const [goal, instruction] = [this.#goal, this.#instruction];
    if (!goal || !instruction) return;
    const message = `no readings satisfy "${instruction.text}" together with the other limits of the goal`;
    goal.run.diagnose('SCN243', message, goal.place(instruction.pos));
  }

  /**
   * Looks for values with which more relations hold: first those that decide a verdict, then those that take a branch.
   * @returns false when there are none
   */
  improve(): boolean {
    const before = this.#points();
    const judged = this.#relations.filter(({ isOptional }) => !isOptional);
    const kept = judged.filter(holds);
    const unmet = judged.filter((one) => !holds(one));
    if (this.#attempt(judged)) kept.push(...unmet);
    else for (const one of unmet.slice(0, MOST_ATTEMPTS)) if (this.#attempt([...kept, one])) kept.push(one);
    for (const one of this.#relations)
      if (one.isOptional && (holds(one) || this.#attempt([...kept, one]))) kept.push(one);
    let isBetter = false;
    for (const [key, scale] of this.#scales()) {
      const earlier = before.get(scale);
      if (scale.points.every((value, n) => value === earlier?.[n])) continue;
      this.memory.table.set(key, scale.points.map(tidy));
      isBetter = true;
    }
    return isBetter;
  }

  /** Changes nothing where the relations do not all hold together. */
  #attempt(relations: readonly Relation[]): boolean {
    const before = this.#points();
    const areMet = satisfyAll(relations);
    if (!areMet) for (const [scale, points] of before) scale.points = points;
    return areMet;
  }

  #scales(): (readonly [key: string, scale: Scale])[] {
    return this.#chosen.flatMap(({ scales }) => [...scales]);
  }

  #points(): Map<Scale, number[]> {
    return new Map(this.#scales().map(([, scale]) => [scale, scale.points.slice()]));
  }
}

const constraintsOfBounds = (
  key: string,
  ownUnit: string | undefined,
  goal: GoalContext,
): ConstraintGroups => [
  goal.bounds.activeFor(key).flatMap((bound) => constraintsOf(bound, ownUnit)),
  tightest(comingLimits(key, goal)).flatMap((sides) => constraintsOf(sides, ownUnit)),
];

/** The limits of each unit that imply all others of it: thousands of bounds may still come behind each reading. */
function tightest(limits: Iterable<Sides>): Sides[] {
  const lows = new Map<string | undefined, Limit>();
  const highs = new Map<string | undefined, Limit>();
  const isTighter = (one: Limit, other: Limit | undefined, sign: 1 | -1) =>
    Number.isFinite(one.value) && (other === undefined || sign * one.value > sign * other.value);
  for (const { low, high } of limits) {
    if (low && isTighter(low, lows.get(low.unit), 1)) lows.set(low.unit, low);
    if (high && isTighter(high, highs.get(high.unit), -1)) highs.set(high.unit, high);
  }
  return [
    ...[...lows.values()].map((low) => ({ low, high: undefined })),
    ...[...highs.values()].map((high) => ({ low: undefined, high })),
  ];
}

function constraintsOf({ low, high }: Sides, ownUnit: string | undefined): Constraint[] {
  const sides = [
    ['>=', low],
    ['<=', high],
  ] as const;
  return sides.flatMap(([operator, limit]) =>
    limit && Number.isFinite(limit.value) ? [{ operator, ...limit, unit: limit.unit ?? ownUnit }] : [],
  );
}
