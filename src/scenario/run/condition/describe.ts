import type { Condition } from '../../program/operand.ts';
import { defaultText } from '../check-text.ts';
import { calibrationMember, type Measured } from '../measured.ts';
import { namesOf } from '../target.ts';
import { type Leaf, operationsOf, type Probe, type ResolvedLeaf } from './leaf.ts';
import { plainOf, scaleOf, valueIn } from './truth.ts';

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
  /** Identity of the calibration that made the value. */
  readonly calibration?: string;
  /** Default text of the outcome. */
  readonly text: string;
}

export function describe(
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
    ...calibrationMember(first?.measured ?? {}),
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
  const scale = scaleOf(
    left,
    numbers.map(({ plain }) => plain),
  );
  let low = Number.NEGATIVE_INFINITY;
  let high = Number.POSITIVE_INFINITY;
  for (const { operator, plain } of numbers) {
    const value = valueIn(plain, scale);
    if (operator !== '<' && operator !== '<=') low = value;
    if (operator !== '>' && operator !== '>=') high = value;
  }
  return { low, high, unit: scale.unit, actual: valueIn(left, scale) };
}
