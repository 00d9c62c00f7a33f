import { comparable } from '../../../rig/units/units.ts';
import { numberOf } from '../../run/limit.ts';
import { type StoredVariable, textOf } from '../../run/variables.ts';
import { interpolate } from '../../values/interpolate.ts';
import { numberFault, shorten } from '../../values/number-fault.ts';
import { looksLikeUnit, parseQuantity } from '../../values/quantity.ts';
import { referenceAmount } from '../../values/reference-amount.ts';
import type { Instruction } from '../instruction.ts';
import type { Condition, Operand, Subject, Value } from '../operand.ts';
import { checkSubjectUnit, isRange } from './limits.ts';
import type { Scope, Site } from './scope.ts';
import { isSubject, leavesOf } from './subject-key.ts';

type Constants = ReadonlyMap<string, StoredVariable>;

/** Bounds of one thing: what a value has to be a number for. */
interface Limits {
  readonly subject: Subject | undefined;
  readonly low?: Value;
  readonly high?: Value;
  readonly isClosed: boolean;
}

/**
 * Judges limits that hold parameters as if their values were written there: a limit in another dimension, a range that
 * holds nothing, or a text where a number belongs is reported before the run.
 */
export function checkConstantLimits(
  instruction: Instruction,
  constants: Constants,
  scope: Scope,
  site: Site,
): void {
  const { pos, stack } = instruction;
  const here: Site = {
    ...site,
    report: (code, message, at, extra) => scope.diagnostics.add(code, message, at, { ...extra, stack }),
  };
  const filled = (value: Value | undefined): Value | undefined => {
    const found = value && fill(value, constants);
    if (!found) return value;
    const { value: known, name, asked } = found;
    if (known.kind === 'text') {
      const fault = numberFault(known.text) ?? `"${shorten(known.text)}" is not a number to compare with`;
      here.report('SCN154', `${name} cannot be a limit: ${fault}`, pos);
      return undefined;
    }
    if (asked !== undefined && known.unit !== undefined && !comparable(known.unit, asked)) {
      here.report('SCN240', `${name} is in ${known.unit}, which cannot be compared with ${asked}`, pos);
      return undefined;
    }
    return known;
  };
  // A limit is judged where it is filled in; here what a setpoint or a variable is set to.
  const set = 'value' in instruction ? templateOf(instruction.value) : undefined;
  const reference = set === undefined ? undefined : referenceAmount(set);
  const own = reference && constants.get(reference.name)?.unit;
  const asked = reference?.unit;
  if (own !== undefined && asked !== undefined && looksLikeUnit(asked) && !comparable(own, asked))
    here.report('SCN240', `${reference!.name} is in ${own}, which cannot be compared with ${asked}`, pos);
  for (const { subject, low, high, isClosed } of limitsOf(instruction)) {
    const [from, to] = [filled(low), filled(high)];
    if (from === low && to === high) continue;
    if (from && to && !isRange(from, to, isClosed, pos, here)) continue;
    for (const limit of [from, to])
      if (subject && limit?.kind === 'quantity' && limit.unit !== undefined)
        checkSubjectUnit(subject, limit.unit, pos, scope, here);
  }
}

/** True for an instruction that {@link checkConstantLimits} looks at. */
export const holdsLimits = (instruction: Instruction): boolean =>
  'condition' in instruction ||
  'threshold' in instruction ||
  'value' in instruction ||
  instruction.op === 'bound';

function* limitsOf(instruction: Instruction): Generator<Limits> {
  if (instruction.op === 'bound') yield { ...instruction, isClosed: true };
  if ('threshold' in instruction)
    yield { subject: instruction.subject, high: instruction.threshold, isClosed: true };
  if ('condition' in instruction && instruction.condition) yield* limitsIn(instruction.condition);
}

function* limitsIn(condition: Condition): Generator<Limits> {
  for (const leaf of leavesOf(condition)) {
    if (leaf.kind === 'range') {
      const { low, high, lowInclusive, highInclusive } = leaf;
      yield { subject: subjectOf(leaf.subject), low, high, isClosed: lowInclusive && highInclusive };
      continue;
    }
    const { left, operator, right } = leaf;
    const subject = subjectOf(left);
    // Two texts may be equal; only what is measured or ordered needs a number.
    if (subject?.kind === 'sensor' || (operator !== '=' && operator !== '!='))
      yield { subject, high: limitValueOf(right), isClosed: true };
  }
}

const subjectOf = (operand: Operand): Subject | undefined =>
  isSubject(operand) ? operand.subject : undefined;

const limitValueOf = (operand: Operand): Value =>
  isSubject(operand) ? { kind: 'variable', name: operand.subject.name } : operand;

type Known = Extract<Value, { kind: 'quantity' | 'text' }>;

/** The value with its parameters filled in; undefined when it holds none, or something that is known later. */
function fill(
  value: Value,
  constants: Constants,
): { value: Known; name: string; asked: string | undefined } | undefined {
  if (value.kind !== 'variable' && value.kind !== 'template') return undefined;
  const name = value.kind === 'variable' ? value.name : ONE_REFERENCE.exec(value.text)?.[1];
  const constant = name === undefined ? undefined : constants.get(name);
  if (constant && name !== undefined) {
    const number = numberOf(constant);
    if (!number) return { value: { kind: 'text', text: textOf(constant.value) }, name, asked: undefined };
    const unit = number.unit ?? value.unit;
    const known = { kind: 'quantity', value: number.value, ...(unit === undefined ? {} : { unit }) } as const;
    return { value: known, name, asked: value.unit };
  }
  if (value.kind === 'variable') return undefined;
  const written = value.unit === undefined ? value.text : `${value.text} ${value.unit}`;
  const reference = referenceAmount(written);
  const referred = reference && constants.get(reference.name);
  const amount = referred && numberOf(referred);
  if (
    reference &&
    amount?.unit !== undefined &&
    (reference.unit === undefined || looksLikeUnit(reference.unit))
  )
    return {
      value: {
        kind: 'quantity',
        value: reference.isNegative ? -amount.value : amount.value,
        unit: amount.unit,
      },
      name: reference.name,
      asked: reference.unit,
    };
  const { text, unknown } = interpolate(written, (one) => {
    const found = constants.get(one);
    return found && textOf(found.value);
  });
  if (unknown.length > 0) return undefined;
  const quantity = parseQuantity(text);
  const known: Known = quantity ? { kind: 'quantity', ...quantity } : { kind: 'text', text };
  return { value: known, name: written, asked: undefined };
}

/** `$name` or `${name}` and nothing else. */
const ONE_REFERENCE = /^\s*\$\{?([\p{L}_][\p{L}\p{N}_.]*)\}?\s*$/u;
/** The text of a value that is filled in when the command runs. */
function templateOf(value: unknown): string | undefined {
  const { kind, text, unit } = (value ?? {}) as { kind?: unknown; text?: unknown; unit?: unknown };
  if (kind !== 'template' || typeof text !== 'string') return undefined;
  return typeof unit === 'string' ? `${text} ${unit}` : text;
}
