import type { Measure } from '../../../rig/units/amount.ts';
import type { ComparisonOperator, Condition, Operand, Subject } from '../../program/operand.ts';
import { RunFault } from '../../rig/fault.ts';
import { measureTogether, requireOneDimension } from '../convert-amount.ts';
import type { Scale } from '../convert-reading.ts';
import type { GoalContext } from '../goal-context.ts';
import { type Limit, numberOf, type Resolved, resolve } from '../limit.ts';
import { requireMeasurable } from '../measurable.ts';
import type { Measured } from '../measured.ts';
import type { RunContext } from '../run-context.ts';
import { type Target, targetOf } from '../target.ts';

export type Leaf = Extract<Condition, { kind: 'comparison' | 'range' }>;

/** Something that is read once for the whole condition. */
export interface Probe {
  readonly id: string;
  readonly change: boolean;
  readonly target: Target;
  /** Of a sensor: how its readings may be converted. */
  readonly scale: Scale | undefined;
  /** What a limit without unit means; undefined for a variable. */
  readonly ownUnit: string | undefined;
  /** Unit it is asked in; undefined for its own. */
  readonly unit: string | undefined;
  /** What a variable that was written down stands for here. */
  readonly measure: Measure | undefined;
  measured?: Measured;
  /** A variable that holds a text. */
  text?: string;
}

/** One side of a leaf, resolved. */
export type Side = { readonly probe: Probe } | { readonly constant: Resolved };

export interface ResolvedLeaf {
  readonly leaf: Leaf;
  readonly left: Side;
  /** One for a comparison, low and high for a range. */
  readonly right: readonly Side[];
}

export function* leavesOf(condition: Condition): Generator<Leaf> {
  if (condition.kind === 'all' || condition.kind === 'any')
    for (const part of condition.parts) yield* leavesOf(part);
  else yield condition;
}

export function resolveLeaf(leaf: Leaf, probes: Map<string, Probe>, goal: GoalContext): ResolvedLeaf {
  const [left, ...right] =
    leaf.kind === 'range' ? [leaf.subject, leaf.low, leaf.high] : [leaf.left, leaf.right];
  const constants = [left, ...right].map((operand) =>
    isProbe(operand) ? undefined : resolve(operand, goal.run),
  );
  const numbers = constants.flatMap((one) => (one?.kind === 'number' ? [one] : []));
  requireOneDimension(...numbers);
  const askedUnit = numbers.find((one) => one.unit !== undefined)?.unit;
  const measure = measureTogether(numbers);
  const side = (operand: Operand, index: number): Side => {
    const constant = constants[index];
    if (constant) return { constant: withUnit(constant, askedUnit) };
    if (!isProbe(operand)) throw new RunFault('SCN411', 'unresolved operand');
    return { probe: probeOf(operand, askedUnit, measure, probes, goal) };
  };
  const sides = [left!, ...right].map(side);
  const limits = [...numbers, ...sides.flatMap((one) => variableIn(one, goal.run) ?? [])];
  for (const one of sides)
    if ('probe' in one && one.probe.target.kind === 'sensor')
      for (const limit of limits)
        requireMeasurable(one.probe.target.sensor, limit, goal.run, one.probe.change ? 'change' : 'value');
  return { leaf, left: sides[0]!, right: sides.slice(1) };
}

/** The number in a variable that a sensor is compared with. */
function variableIn(side: Side, run: RunContext): Limit | undefined {
  if (!('probe' in side) || side.probe.target.kind !== 'variable') return undefined;
  const variable = run.variables.get(side.probe.target.name);
  const number = variable && numberOf(variable);
  return number && { ...number, ...(variable.simulated ? { simulated: true } : {}) };
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
  measure: Measure | undefined,
  probes: Map<string, Probe>,
  goal: GoalContext,
): Probe {
  const target = targetOf(operand.subject, goal.run);
  const id = `${operand.kind} ${target.key}`;
  const known = probes.get(id);
  if (known) return known;
  const scale = goal.run.scaleOf(target.kind === 'sensor' ? target.sensor : undefined);
  const probe: Probe = {
    id,
    change: operand.kind === 'change',
    target,
    scale,
    ownUnit: target.kind === 'sensor' ? target.sensor.unit : target.kind === 'timer' ? 's' : undefined,
    unit: operand.unit ?? askedUnit,
    measure,
  };
  probes.set(id, probe);
  return probe;
}

interface Operation {
  readonly operator: ComparisonOperator;
  readonly side: Side;
}

/** A leaf as comparisons of its left side. */
export function operationsOf({ leaf, right }: ResolvedLeaf): Operation[] {
  if (leaf.kind === 'comparison') return [{ operator: leaf.operator, side: right[0]! }];
  return [
    { operator: leaf.lowInclusive ? '>=' : '>', side: right[0]! },
    { operator: leaf.highInclusive ? '<=' : '<', side: right[1]! },
  ];
}
