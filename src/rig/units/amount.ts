import { convert, convertDifference, findUnit } from './units.ts';

/**
 * What a number on a scale stands for: a point of the scale (20 °C is 293.15 K) or a distance between two points
 * (20 °C is 20 K). Only temperature scales distinguish them, since only they have an offset. A ratio or a count is on no
 * scale at all: unlike a number that was written without a unit it never takes one.
 */
export type Measure = 'point' | 'difference' | 'ratio';

/** A number with its unit. Without `measure` it was written down, and takes the one of what it is used with. */
export interface Amount {
  readonly value: number;
  readonly unit?: string | undefined;
  readonly measure?: Measure | undefined;
}

/** True for a ratio or a count, which is compared and combined with numbers without unit only. */
export const isPureNumber = ({ unit, measure }: Amount): boolean => unit === undefined && measure === 'ratio';

/** Converts within a dimension; undefined when the units are not comparable. */
export const convertAs = (
  value: number,
  from: string,
  to: string,
  measure: Measure | undefined,
): number | undefined =>
  measure === 'difference' ? convertDifference(value, from, to) : convert(value, from, to);

/** True for a unit of a dimension in which some scale has an offset, so that point and difference are two things. */
export const isOffsetScale = (unit: string | undefined): boolean =>
  unit !== undefined && findUnit(unit)?.dimension === 'temperature';

/**
 * What amounts stand for together; undefined when all were written down.
 * @returns 'conflict' for a temperature together with a difference of temperatures
 */
export function commonMeasure(amounts: readonly Amount[]): Measure | 'conflict' | undefined {
  const isDifference = amounts.some(({ measure }) => measure === 'difference');
  const isPoint = amounts.some(({ measure }) => measure === 'point');
  if (isDifference && isPoint) return amounts.some(({ unit }) => isOffsetScale(unit)) ? 'conflict' : 'point';
  return isDifference ? 'difference' : isPoint ? 'point' : undefined;
}
