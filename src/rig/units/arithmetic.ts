import {
  type Amount,
  commonMeasure,
  convertAs,
  isOffsetScale,
  isPureNumber,
  type Measure,
} from './amount.ts';
import { convert } from './units.ts';

export type ArithmeticFunction =
  | 'AVG'
  | 'SUM'
  | 'MIN'
  | 'MAX'
  | 'SUB'
  | 'MUL'
  | 'DIV'
  | 'ADD'
  | 'COUNT'
  | 'STDDEV';

/** Why amounts cannot be put together. */
export class ArithmeticError extends Error {
  /** True when it is about units and not about the numbers. */
  readonly isUnits: boolean;
  constructor(message: string, isUnits = false) {
    super(message);
    this.isUnits = isUnits;
  }
}

const unitsFault = (message: string) => new ArithmeticError(message, true);

/**
 * Calculates with quantities. Other units of the dimension are converted to the first one; a number without unit has
 * that of the others. Point minus point is a difference, point and difference are a point; on the other scales of
 * measure (pressure, flow ...) both are the same number, so nothing is refused there.
 *
 * @param amounts at least one
 * @throws ArithmeticError
 */
export function calculate(fn: ArithmeticFunction, amounts: readonly Amount[]): Amount {
  if (amounts.length === 0) throw new ArithmeticError('nothing to calculate with');
  if (fn === 'COUNT') return { value: amounts.length, measure: 'ratio' };
  const result = fn === 'MUL' || fn === 'DIV' ? scale(fn, amounts) : combine(fn, amounts);
  if (!Number.isFinite(result.value)) throw new ArithmeticError('the result is not a finite number');
  return result;
}

type Combining = Exclude<ArithmeticFunction, 'COUNT' | 'MUL' | 'DIV'>;

function combine(fn: Combining, amounts: readonly Amount[]): Amount {
  const unit = amounts.find((one) => one.unit !== undefined)?.unit;
  if (unit !== undefined && amounts.some(isPureNumber))
    throw unitsFault(`a ratio or a count has no unit, so ${fn} cannot put it together with ${unit}`);
  const measures = measuresOf(fn, amounts, unit);
  const values = amounts.map((one, index) => inUnit(one, unit, measures[index]));
  return { value: compute(fn, values), unit, measure: resultOf(fn, measures) };
}

function inUnit({ value, unit: from }: Amount, unit: string | undefined, measure: Measure | undefined) {
  if (from === undefined || unit === undefined) return value;
  const converted = convertAs(value, from, unit, measure);
  if (converted === undefined) throw unitsFault(`${from} and ${unit} cannot be put together`);
  return converted;
}

/** What each amount stands for here: a written one is what makes sense beside the others. */
function measuresOf(
  fn: Combining,
  amounts: readonly Amount[],
  unit: string | undefined,
): (Measure | undefined)[] {
  const known = amounts.map(({ measure }) => measure);
  if (fn === 'SUM' || fn === 'ADD') return addends(known, unit);
  if (fn === 'SUB') return subtrahends(known, unit);
  const common = commonMeasure(amounts);
  if (common === 'conflict')
    throw unitsFault(`${fn} of temperatures and of differences of temperatures has no meaning`);
  return known.map((measure) => measure ?? common);
}

function addends(known: readonly (Measure | undefined)[], unit: string | undefined): (Measure | undefined)[] {
  if (!isOffsetScale(unit)) return [...known];
  const points = known.filter((measure) => measure === 'point').length;
  if (points > 1)
    throw unitsFault('temperatures cannot be added up; add a difference to one, or take their AVG');
  const written = known.indexOf(undefined);
  return known.map((measure, index) => {
    if (measure !== undefined) return measure;
    // Written numbers only: the first one is the temperature and the others are added to it.
    return points === 0 && index === written && !known.includes('difference') ? 'point' : 'difference';
  });
}

function subtrahends(
  known: readonly (Measure | undefined)[],
  unit: string | undefined,
): (Measure | undefined)[] {
  if (!isOffsetScale(unit)) return [...known];
  const [first = known.find((measure) => measure !== undefined) ?? 'point', ...rest] = known;
  const measures = [first, ...rest.map((measure) => measure ?? first)];
  const points = measures.filter((measure) => measure === 'point').length;
  if (first === 'difference' && points > 0)
    throw unitsFault('a temperature cannot be taken away from a difference of temperatures');
  if (points > 2) throw unitsFault('only one temperature can be taken away from a temperature');
  return measures;
}

function resultOf(fn: Combining, measures: readonly (Measure | undefined)[]): Measure | undefined {
  if (measures.includes('ratio')) return 'ratio';
  if (fn === 'STDDEV') return 'difference';
  const points = measures.filter((measure) => measure === 'point').length;
  const isWritten = measures.every((measure) => measure === undefined);
  if (fn === 'SUB')
    return measures.length > 1 && (measures[0] !== 'point' || points > 1) ? 'difference' : measures[0];
  return isWritten ? undefined : points > 0 ? 'point' : 'difference';
}

function compute(fn: Combining, values: readonly number[]): number {
  const sum = () => values.reduce((a, b) => a + b, 0);
  switch (fn) {
    case 'AVG':
      return sum() / values.length;
    case 'SUM':
    case 'ADD':
      return sum();
    case 'SUB':
      return values.reduce((a, b) => a - b);
    case 'MIN':
      return values.reduce((a, b) => Math.min(a, b));
    case 'MAX':
      return values.reduce((a, b) => Math.max(a, b));
    case 'STDDEV':
      return deviation(values);
  }
}

/** With n - 1. */
function deviation(values: readonly number[]): number {
  if (values.length < 2) throw new ArithmeticError('a standard deviation needs at least two values');
  const mean = values.reduce((a, b) => a + b, 0) / values.length;
  const squares = values.reduce((a, b) => a + (b - mean) ** 2, 0);
  return Math.sqrt(squares / (values.length - 1));
}

function scale(fn: 'MUL' | 'DIV', amounts: readonly Amount[]): Amount {
  const [first, ...rest] = amounts;
  let { value, unit, measure } = first!;
  for (const next of rest) {
    const isRatioOfTemperatures = fn === 'DIV' && isOffsetScale(unit) && isOffsetScale(next.unit);
    if (!isRatioOfTemperatures)
      for (const one of [{ unit, measure }, next]) refuseTemperature(fn, one.unit, one.measure);
    if (fn === 'MUL') {
      value *= next.value;
      // A pressure times a ratio is a pressure.
      const own = [measure, next.measure].find((one) => one !== undefined && one !== 'ratio');
      const isNumber = unit === undefined && next.unit === undefined;
      measure =
        unit === undefined || next.unit === undefined ? (own ?? (isNumber ? measure : undefined)) : undefined;
      unit = unit === undefined ? next.unit : next.unit === undefined ? unit : `${unit}·${next.unit}`;
      continue;
    }
    const ratio = sameKind({ value, unit, measure }, next);
    const divisor = ratio ?? next.value;
    if (divisor === 0) throw new ArithmeticError('division by zero');
    value /= divisor;
    if (next.unit !== undefined) measure = undefined;
    if (ratio !== undefined) {
      unit = undefined;
      measure = 'ratio';
    }
    if (ratio === undefined && next.unit !== undefined)
      unit = unit === undefined ? `1/${next.unit}` : `${unit}/${next.unit}`;
  }
  return { value, unit, measure };
}

/** Twice 20 °C is 40 °C or, through kelvin, 313 °C: only a scale that begins at zero can be multiplied. */
function refuseTemperature(fn: string, unit: string | undefined, measure: Measure | undefined): void {
  if (isOffsetScale(unit) && unit !== 'K' && measure !== 'difference')
    throw unitsFault(
      `${fn} of a temperature in ${unit} has no meaning; convert it to K, or take a difference`,
    );
}

/** The divisor in the unit of the dividend, when both are of one dimension. */
function sameKind(dividend: Amount, divisor: Amount): number | undefined {
  const { unit } = dividend;
  if (unit === undefined || divisor.unit === undefined) return undefined;
  if (convert(1, divisor.unit, unit) === undefined) return undefined;
  const measure = commonMeasure([dividend, divisor]);
  const isRatio = !isOffsetScale(unit) || measure === 'difference' || (unit === 'K' && divisor.unit === 'K');
  if (!isRatio || measure === 'conflict')
    throw unitsFault('temperatures have a ratio in K only; convert both, or take differences');
  return convertAs(divisor.value, divisor.unit, unit, measure);
}
