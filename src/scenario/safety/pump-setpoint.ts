import type { Peripheral } from '../../rig/registry/registry.ts';
import { findUnit } from '../../rig/units/units.ts';
import { type Alternatives, convertRange, type NumberRange } from './abstract-value.ts';
import { type Effect, OFF, ON, type Setpoint } from './effect.ts';
import { limitProblem } from './limit-problem.ts';
import { parameterRange, type Range } from './parameter-range.ts';
import type { SetpointContext } from './setpoint.ts';

const EVERYTHING: Range = { low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY };
/** A flow of the full scale may come out a hair above 100 %. */
const TOLERANCE = 1e-9;

/** SET of a pump. What lies outside 0..100 % is refused when it runs and moves nothing. */
export function pumpSetpoint(
  peripheral: Peripheral,
  target: string,
  values: Alternatives,
  context: SetpointContext,
): Setpoint {
  const percents = values.flatMap((value): Range[] => {
    if (value.kind === 'any') return [EVERYTHING];
    if (value.kind === 'number') return percentOf(value, peripheral, context) ?? [];
    const word = value.kind === 'text' ? value.text.trim().toLowerCase() : '';
    if (word === 'on') return [{ low: 100, high: 100 }];
    return word === 'off' ? [{ low: 0, high: 0 }] : [];
  });
  return pumpEffects(target, percents, context);
}

/** Effects and problems of powers in percent. */
export function pumpEffects(
  target: string,
  percents: readonly Range[],
  { limits }: SetpointContext,
): Setpoint {
  const effects: Effect[] = [];
  for (const percent of percents) {
    const low = Math.max(percent.low, 0);
    const high = Math.min(percent.high, 100);
    if (percent.low > 100 * (1 + TOLERANCE) || percent.high < 0) continue;
    if (high > 0) effects.push(ON);
    if (low === 0) effects.push(OFF);
  }
  const problem = limitProblem(
    {
      what: `the power of ${target}`,
      unit: ' %',
      limit: limits.pumpMaxPct,
      key: 'pump.max_power_pct',
      remedy: `CALC p = MIN 'm, ${limits.pumpMaxPct}' and SET ${target} '$p %'`,
    },
    percents.map(({ high }) => high),
  );
  return { effects: [...new Set(effects)], problems: problem ? [problem] : [] };
}

/** Undefined for a unit that a pump refuses. */
function percentOf(
  value: NumberRange,
  { fullScaleLpm }: Peripheral,
  { registry, variables }: SetpointContext,
): Range[] | undefined {
  if (value.knowledge === 'none') return [EVERYTHING];
  if (value.unit === undefined || value.unit === '%') return [value];
  const lpm = findUnit(value.unit)?.dimension === 'flow' ? convertRange(value, 'l/min') : undefined;
  const scale = parameterRange(
    'PUMP_FLOW_FULL_SCALE_LPM',
    variables,
    fullScaleLpm ?? registry.pumpFullScaleLpm,
  );
  if (!lpm || !scale) return undefined;
  const percent = (flow: number, full: number) => (flow / full) * 100;
  const high = percent(lpm.high, lpm.high > 0 ? scale.low : scale.high);
  const low = percent(lpm.low, lpm.low > 0 ? scale.high : scale.low);
  if (Number.isNaN(low) || Number.isNaN(high)) return [EVERYTHING];
  return [{ low, high }];
}
