import { isBeyond, type MeasurableRange, measurableRange } from '../../rig/registry/measurable-range.ts';
import type { Sensor } from '../../rig/registry/registry.ts';
import { formatNumber } from '../values/number.ts';

/** What a limit is compared with: the sensor's value, how much that changes, or its standard deviation. */
export type LimitedQuantity = 'value' | 'change' | 'deviation';

/** A number that a reading is compared with. */
export interface PlainLimit {
  readonly value: number;
  /** Absent: the sensor's own. */
  readonly unit?: string | undefined;
  /** It comes from a simulated reading. */
  readonly simulated?: boolean;
}

/**
 * Why a limit is worthless on this rig: no reading of the sensor ever gets there, so a comparison with it has the same
 * outcome whatever the true value is. Undefined for a good limit, and where the range is not known.
 */
export function beyondMeasurable(
  name: string,
  sensor: Sensor,
  { value, unit = sensor.unit }: PlainLimit,
  quantity: LimitedQuantity = 'value',
): string | undefined {
  const range = measurableRange(sensor, unit);
  const allowed = range && rangeFor(quantity, range);
  if (!allowed || !isBeyond(value, allowed)) return undefined;
  const [low, high] = [allowed.low, allowed.high].map((end) => formatNumber(Number(end.toPrecision(6))));
  const what = quantity === 'value' ? '' : ` of its ${quantity}`;
  const place = name === sensor.id ? name : `${name} (${sensor.id})`;
  const remedy =
    sensor.plugin === undefined
      ? 'correct the limit, or the range or calibration of the sensor in svc.yaml'
      : `correct the limit, or plugins.${sensor.plugin}.range in svc.yaml`;
  return `the limit ${formatNumber(value)} ${unit}${what} lies outside the ${low} .. ${high} ${unit} that ${place} can measure, so no reading ever reaches it; ${remedy}`;
}

function rangeFor(quantity: LimitedQuantity, range: MeasurableRange): MeasurableRange {
  if (quantity === 'value') return range;
  const span = range.high - range.low;
  return { low: quantity === 'change' ? -span : 0, high: span };
}
