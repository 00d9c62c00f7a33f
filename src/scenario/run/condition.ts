import { convertDifference } from '../../rig/units/units.ts';
import type { ComparisonOperator, Condition, Operand, Subject } from '../program/operand.ts';
import { chooseValue } from '../rig/dry/choose-value.ts';
import { RunFault } from '../rig/fault.ts';
import type { Wish } from '../rig/rig.ts';
import type { Pos } from '../source/position.ts';
import { defaultText } from './check-text.ts';
import { compare, inverse, mirrored } from './compare.ts';
import { inUnit } from './convert-reading.ts';
import type { GoalContext } from './goal-context.ts';
import { wishesOfBounds } from './judge-bounds.ts';
import { type Limit, numberOf, type Resolved, resolve } from './limit.ts';
import type { Measured } from './measured.ts';
import { read } from './readings.ts';
import { namesOf, type Target, targetOf } from './target.ts';
import { textOf } from './variables.ts';

/** What a condition came to. */
export interface Evaluation {
  readonly holds: boolean;
  /** It rests on simulated values. */
  readonly simulated: boolean;
  /** Readings that were taken for it, to be judged by the bounds. */
  readonly readings: readonly Measured[];
  readonly names: readonly string[];
  readonly sensor: string | null;
  readonly op: string;
  readonly low: number | undefined;
  readonly high: number | undefined;
  readonly actual: number | string | boolean | null;
  readonly unit: string | null;
  /** Default text of the outcome. */
  readonly text: string;
}

export interface EvaluateOptions {
  /** Outcome that a dry-run tries to simulate. */
  readonly want: boolean;
  readonly signal: AbortSignal;
  readonly pos: Pos;
  /** The condition as written, for the text of one that has no range. */
  readonly text: string;
}

type Leaf = Extract<Condition, { kind: 'comparison' | 'range' }>;

/** Something that is read once for the whole condition. */
interface Probe {
  readonly id: string;
  readonly change: boolean;
  readonly target: Target;
  /** Unit it is asked in; undefined for its own. */
  readonly unit: string | undefined;
  measured?: Measured;
  /** A variable that holds a text. */
  text?: string;
}

/** One side of a leaf, resolved. */
type Side = { readonly probe: Probe } | { readonly constant: Resolved };

interface ResolvedLeaf {
  readonly leaf: Leaf;
  readonly left: Side;
  /** One for a comparison, low and high for a range. */
  readonly right: readonly Side[];
}

/**
 * Reads what a condition is about, each thing once and fresh, and evaluates it.
 * @throws RunFault of the readings; SCN411 unresolved, SCN240 incomparable
 */
export async function evaluate(
  condition: Condition,
  goal: GoalContext,
  options: EvaluateOptions,
): Promise<Evaluation> {
  const probes = new Map<string, Probe>();
  const leaves = new Map<Leaf, ResolvedLeaf>();
  for (const leaf of leavesOf(condition)) leaves.set(leaf, resolveLeaf(leaf, probes, goal));
  const wanted = goal.run.dry ? wantedLeaves(condition, options.want) : [];
  for (const probe of inReadingOrder(probes, leaves)) {
    const wishes = wanted.flatMap(([leaf, truth]) => wishesOf(leaves.get(leaf)!, probe, truth));
    await readProbe(probe, wishes, goal, options);
  }
  const holds = truthOf(condition, (leaf) => leafHolds(leaves.get(leaf)!));
  return describe(holds, condition, leaves, probes, options.text);
}

function* leavesOf(condition: Condition): Generator<Leaf> {
  if (condition.kind === 'all' || condition.kind === 'any')
    for (const part of condition.parts) yield* leavesOf(part);
  else yield condition;
}

function truthOf(condition: Condition, leafTruth: (leaf: Leaf) => boolean): boolean {
  if (condition.kind === 'all') return condition.parts.every((part) => truthOf(part, leafTruth));
  if (condition.kind === 'any') return condition.parts.some((part) => truthOf(part, leafTruth));
  return leafTruth(condition);
}

/** Leaves that have to be true, or false, for the condition to come out as wanted. */
function wantedLeaves(condition: Condition, want: boolean): [Leaf, boolean][] {
  if (condition.kind !== 'all' && condition.kind !== 'any') return [[condition, want]];
  const every = (condition.kind === 'all') === want;
  const parts = every ? condition.parts : condition.parts.slice(0, 1);
  return parts.flatMap((part) => wantedLeaves(part, want));
}

// ---- operands ----------------------------------------------------------------------------------------------------

function resolveLeaf(leaf: Leaf, probes: Map<string, Probe>, goal: GoalContext): ResolvedLeaf {
  const [left, ...right] =
    leaf.kind === 'range' ? [leaf.subject, leaf.low, leaf.high] : [leaf.left, leaf.right];
  const constants = [left, ...right].map((operand) =>
    isProbe(operand) ? undefined : resolve(operand, goal.run),
  );
  const unit = constants.find((one) => one?.kind === 'number' && one.unit !== undefined);
  const askedUnit = unit?.kind === 'number' ? unit.unit : undefined;
  const side = (operand: Operand, index: number): Side => {
    const constant = constants[index];
    if (constant) return { constant: withUnit(constant, askedUnit) };
    if (!isProbe(operand)) throw new RunFault('SCN411', 'unresolved operand');
    return { probe: probeOf(operand, askedUnit, probes, goal) };
  };
  return { leaf, left: side(left!, 0), right: right.map((operand, index) => side(operand, index + 1)) };
}

/** A number without unit has that of the other bound (section 6.1). */
const withUnit = (constant: Resolved, unit: string | undefined): Resolved =>
  constant.kind === 'number' &&
  constant.unit === undefined &&
  unit !== undefined &&
  Number.isFinite(constant.value)
    ? { ...constant, unit }
    : constant;

type ProbeOperand = {
  readonly kind: 'subject' | 'change';
  readonly subject: Subject;
  readonly unit?: string;
};

const isProbe = (operand: Operand): operand is ProbeOperand =>
  operand.kind === 'subject' || operand.kind === 'change';

function probeOf(
  operand: ProbeOperand,
  askedUnit: string | undefined,
  probes: Map<string, Probe>,
  goal: GoalContext,
): Probe {
  const target = targetOf(operand.subject, goal.run);
  const id = `${operand.kind} ${target.key}`;
  const known = probes.get(id);
  if (known) return known;
  const probe: Probe = { id, change: operand.kind === 'change', target, unit: operand.unit ?? askedUnit };
  probes.set(id, probe);
  return probe;
}

/** What is compared with another reading comes after that one, so that a dry-run can choose it. */
function inReadingOrder(
  probes: ReadonlyMap<string, Probe>,
  leaves: ReadonlyMap<Leaf, ResolvedLeaf>,
): Probe[] {
  const later = new Set<Probe>();
  for (const { left, right } of leaves.values())
    if ('probe' in left && right.some((side) => 'probe' in side)) later.add(left.probe);
  const all = [...probes.values()];
  return [...all.filter((probe) => !later.has(probe)), ...all.filter((probe) => later.has(probe))];
}

async function readProbe(
  probe: Probe,
  wishes: readonly Wish[],
  goal: GoalContext,
  { signal, pos }: EvaluateOptions,
): Promise<void> {
  const { target, unit } = probe;
  if (probe.change) {
    probe.measured = changeOf(target, unit, wishes, goal);
    return;
  }
  if (target.kind === 'variable') {
    const variable = goal.run.variables.get(target.name);
    if (variable && !numberOf(variable)) {
      probe.text = textOf(variable.value);
      return;
    }
  }
  const all = goal.run.dry ? [wishes, ...wishesOfBounds(target.key, goal)] : [];
  probe.measured = await read(target, { unit, wishes: all, signal, pos }, goal);
}

/** Δp: the change over the samples of the goal so far. @throws RunFault SCN402 with fewer than two points */
function changeOf(
  target: Target,
  asked: string | undefined,
  wishes: readonly Wish[],
  goal: GoalContext,
): Measured {
  const sampler = goal.samplers.get(target.key);
  const change = sampler?.change(Number.POSITIVE_INFINITY);
  if (!change)
    throw new RunFault(
      'SCN402',
      `Δ${target.name} needs at least two sample points in this goal; write SAMPLE ${target.name} START before`,
    );
  const unit = asked ?? change.unit;
  const chosen = change.free && goal.run.dry;
  const value = chosen
    ? chooseValue([wishes], unit).value
    : unit === null || change.unit === null
      ? change.value
      : convertDifference(change.value, change.unit, unit);
  if (value === undefined)
    throw new RunFault('SCN240', `${target.name} was sampled in ${change.unit}, which is no ${unit}`);
  return {
    ...change.last,
    sensor: `Δ${target.name}`,
    value,
    unit,
    raw: null,
    rawUnit: null,
    key: `Δ${target.key}`,
  };
}

// ---- truth -------------------------------------------------------------------------------------------------------

interface Operation {
  readonly operator: ComparisonOperator;
  readonly side: Side;
}

/** A leaf as comparisons of its left side. */
function operationsOf({ leaf, right }: ResolvedLeaf): Operation[] {
  if (leaf.kind === 'comparison') return [{ operator: leaf.operator, side: right[0]! }];
  return [
    { operator: leaf.lowInclusive ? '>=' : '>', side: right[0]! },
    { operator: leaf.highInclusive ? '<=' : '<', side: right[1]! },
  ];
}

const leafHolds = (resolved: ResolvedLeaf): boolean =>
  operationsOf(resolved).every(({ operator, side }) => sidesHold(resolved.left, operator, side));

type Plain = { readonly text: string } | { readonly measured: Measured; readonly probe: Probe } | Limit;

function plainOf(side: Side): Plain {
  if ('constant' in side) return side.constant.kind === 'text' ? { text: side.constant.text } : side.constant;
  const { text, measured } = side.probe;
  if (text !== undefined) return { text };
  if (!measured) throw new RunFault('SCN411', `${side.probe.target.name} was not read`);
  return { measured, probe: side.probe };
}

function sidesHold(left: Side, operator: ComparisonOperator, right: Side): boolean {
  const a = plainOf(left);
  const b = plainOf(right);
  if ('text' in a || 'text' in b) return textsHold(a, operator, b);
  const unit = unitOf(b) ?? unitOf(a);
  return compare(valueIn(a, unit), operator, valueIn(b, unit));
}

const unitOf = (plain: Exclude<Plain, { text: string }>): string | undefined =>
  'measured' in plain ? (plain.measured.unit ?? undefined) : plain.unit;

function valueIn(plain: Exclude<Plain, { text: string }>, unit: string | undefined): number {
  if ('measured' in plain) {
    const { target } = plain.probe;
    return inUnit(plain.measured, unit, target.kind === 'sensor' ? target.sensor : undefined).value;
  }
  if (unit === undefined || plain.unit === undefined || plain.unit === unit) return plain.value;
  return limitInUnit(plain, unit);
}

function limitInUnit({ value, unit: from }: Limit, unit: string): number {
  if (!Number.isFinite(value)) return value;
  const blank = { raw: null, rawUnit: null, at: '', ageMs: 0, source: '', simulated: false };
  const flags = { bench: false, free: false, contradiction: false };
  return inUnit(
    { sensor: `${value}`, key: '', value, unit: from ?? null, ...blank, ...flags },
    unit,
    undefined,
  ).value;
}

function textsHold(a: Plain, operator: ComparisonOperator, b: Plain): boolean {
  const text = (plain: Plain): string =>
    'text' in plain ? plain.text : textOf('measured' in plain ? plain.measured.value : plain.value);
  if (operator === '=') return text(a) === text(b);
  if (operator === '!=') return text(a) !== text(b);
  throw new RunFault(
    'SCN240',
    `"${text(a)}" and "${text(b)}" cannot be compared by ${operator}: a text is only equal or not`,
  );
}

// ---- dry-run -----------------------------------------------------------------------------------------------------

/** What a leaf asks of a probe so that it comes out as wanted. */
function wishesOf(resolved: ResolvedLeaf, probe: Probe, truth: boolean): Wish[] {
  const operations = operationsOf(resolved);
  const onLeft = 'probe' in resolved.left && resolved.left.probe === probe;
  const wishes = operations.flatMap(({ operator, side }): Wish[] => {
    const wanted = truth ? operator : inverse(operator);
    if (onLeft) return wish(wanted, side);
    return 'probe' in side && side.probe === probe ? wish(mirrored(wanted), resolved.left) : [];
  });
  // A range is false as soon as one of its sides is.
  return truth || wishes.length < 2 ? wishes : wishes.slice(-1);
}

function wish(operator: ComparisonOperator, side: Side): Wish[] {
  if ('probe' in side) {
    const { measured } = side.probe;
    if (!measured) return [];
    return [{ operator, value: measured.value, ...(measured.unit === null ? {} : { unit: measured.unit }) }];
  }
  const { constant } = side;
  if (constant.kind === 'text' || !Number.isFinite(constant.value)) return [];
  return [
    { operator, value: constant.value, ...(constant.unit === undefined ? {} : { unit: constant.unit }) },
  ];
}

// ---- description -------------------------------------------------------------------------------------------------

function describe(
  holds: boolean,
  condition: Condition,
  leaves: ReadonlyMap<Leaf, ResolvedLeaf>,
  probes: ReadonlyMap<string, Probe>,
  text: string,
): Evaluation {
  const all = [...probes.values()];
  const readings = all.flatMap(({ measured, change }) => (measured && !change ? [measured] : []));
  const first = all[0];
  const common = {
    holds,
    simulated: all.some(({ measured }) => measured?.simulated === true),
    readings,
    names: all.flatMap(({ target }) => namesOf(target)),
    sensor: first ? `${first.change ? 'Δ' : ''}${first.target.name}` : null,
    actual: first?.text ?? first?.measured?.value ?? null,
    unit: first?.measured?.unit ?? null,
  };
  const single = condition.kind === 'all' || condition.kind === 'any' ? undefined : leaves.get(condition);
  const span = single && spanOf(single);
  if (!span || common.sensor === null)
    return {
      ...common,
      op: single ? operatorOf(single.leaf) : condition.kind === 'all' ? 'and' : 'or',
      low: undefined,
      high: undefined,
      text: `${holds ? 'true' : 'not true'}: ${text}`,
    };
  const inside = defaultText(common.sensor, true, span.low, span.high, span.unit);
  const outside = defaultText(common.sensor, false, span.low, span.high, span.unit);
  return {
    ...common,
    actual: span.actual,
    unit: span.unit ?? null,
    op: operatorOf(single.leaf),
    low: span.low,
    high: span.high,
    text: holds === (operatorOf(single.leaf) !== '!=') ? inside : outside,
  };
}

const operatorOf = (leaf: Leaf): string => (leaf.kind === 'range' ? 'in' : leaf.operator);

interface Span {
  readonly low: number;
  readonly high: number;
  readonly unit: string | undefined;
  readonly actual: number;
}

/** The range that a reading on the left is compared with; undefined for texts and for a reading on the right. */
function spanOf(resolved: ResolvedLeaf): Span | undefined {
  const left = plainOf(resolved.left);
  if (!('measured' in left)) return undefined;
  const sides = operationsOf(resolved).map(({ operator, side }) => ({ operator, plain: plainOf(side) }));
  const numbers = sides.flatMap(({ operator, plain }) => ('text' in plain ? [] : [{ operator, plain }]));
  if (numbers.length < sides.length) return undefined;
  const unit = numbers.map(({ plain }) => unitOf(plain)).find((one) => one !== undefined) ?? unitOf(left);
  let low = Number.NEGATIVE_INFINITY;
  let high = Number.POSITIVE_INFINITY;
  for (const { operator, plain } of numbers) {
    const value = valueIn(plain, unit);
    if (operator !== '<' && operator !== '<=') low = value;
    if (operator !== '>' && operator !== '>=') high = value;
  }
  return { low, high, unit, actual: valueIn(left, unit) };
}
