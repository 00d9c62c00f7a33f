import type { Condition, Operand, Value } from '../program/operand.ts';
import { parseDuration } from '../values/duration.ts';
import { referenceAmount } from '../values/reference-amount.ts';
import { type AbstractValue, asNumber, convertRange } from './abstract-value.ts';
import type { Environment } from './environment.ts';
import type { Range } from './parameter-range.ts';
import { resolveValue, textsOf } from './resolve-value.ts';

const UNKNOWN: Range = { low: 0, high: Number.POSITIVE_INFINITY };
const ONE_REFERENCE = /^\s*\$\{?([^{}\s]+?)\}?\s*$/;

/** How long a pause may be, ms. Undefined when it is an error in any case. */
export function pauseRange(
  duration: number | { readonly template: string },
  variables: Environment,
): Range | undefined {
  if (typeof duration === 'number') return { low: duration, high: duration };
  const { template } = duration;
  const name = ONE_REFERENCE.exec(template)?.[1];
  const values = name === undefined ? [] : variables.get(name).filter(({ kind }) => kind !== 'unset');
  return hull(values.length > 0 ? values.flatMap(valueRange) : textRanges(template, variables));
}

function valueRange(value: AbstractValue): Range[] {
  const number = asNumber(value);
  if (!number) return value.kind === 'text' ? exactMs(value.text) : [];
  if (number.knowledge === 'none') return [UNKNOWN];
  if (number.unit === undefined) return [number];
  const inMs = convertRange(number, 'ms');
  if (inMs) return [inMs];
  // A suffix of durations that is not a unit of time: `2 m`.
  const [one] = exactMs(`1 ${number.unit}`);
  return one ? [{ low: number.low * one.high, high: number.high * one.high }] : [];
}

const exactMs = (text: string): Range[] => {
  const ms = parseDuration(text);
  return ms === undefined ? [] : [{ low: ms, high: ms }];
};

function textRanges(template: string, variables: Environment): Range[] {
  const reference = referenceAmount(template);
  if (!reference) return textsOf(template, variables)?.flatMap(exactMs) ?? [UNKNOWN];
  const { name, unit, isNegative } = reference;
  const [suffix] = exactMs(`1 ${unit ?? 'ms'}`);
  return variables.get(name).flatMap((one): Range[] => {
    const number = asNumber(one);
    if (one.kind === 'unset' || !number) return [];
    // A unit of its own counts, not the suffix.
    if (number.knowledge === 'none' || isNegative || !suffix) return [UNKNOWN];
    return number.unit === undefined
      ? [{ low: number.low * suffix.high, high: number.high * suffix.high }]
      : valueRange(number);
  });
}

function hull(ranges: readonly Range[]): Range | undefined {
  const valid = ranges.filter(({ high }) => high >= 0);
  if (valid.length === 0) return undefined;
  return {
    low: Math.max(0, Math.min(...valid.map(({ low }) => low))),
    high: Math.max(...valid.map(({ high }) => high)),
  };
}

const isTimer = (operand: Operand): boolean =>
  operand.kind === 'subject' && operand.subject.kind !== 'sensor' && /^timer$/i.test(operand.subject.name);

/**
 * `Timer >= 8 s | WAIT`: until when of the goal timer it pauses, ms. Undefined when the condition is not about the
 * timer, so that it polls.
 */
export function timerRange(condition: Condition, variables: Environment): Range | undefined {
  if (condition.kind !== 'comparison') return undefined;
  const { left, right } = condition;
  const [timer, other] = left.kind === 'subject' ? [left, right] : [right, left];
  if (!isTimer(timer) || other.kind === 'subject' || other.kind === 'change') return undefined;
  const unit = timer.kind === 'subject' ? (timer.unit ?? 's') : 's';
  return hull(limits(other, unit, variables)) ?? { low: 0, high: 0 };
}

function limits(value: Value, unit: string, variables: Environment): Range[] {
  return resolveValue(value, variables).flatMap((one): Range[] => {
    const number = asNumber(one);
    if (!number) return [];
    if (number.knowledge === 'none') return [UNKNOWN];
    const inMs = convertRange(number.unit === undefined ? { ...number, unit } : number, 'ms');
    return inMs ? [inMs] : [];
  });
}
