import { convert } from '../../rig/units/units.ts';
import { RunFault } from '../rig/fault.ts';
import { parseDuration } from '../values/duration.ts';
import { formatNumber } from '../values/number.ts';
import { referenceAmount } from '../values/reference-amount.ts';
import { numberOf } from './limit.ts';
import type { RunContext } from './run-context.ts';

/** Milliseconds of a duration, also of one with variables in it. @throws RunFault SCN126, SCN411 */
export function durationMs(duration: number | { readonly template: string }, run: RunContext): number {
  if (typeof duration === 'number') return duration;
  const { template } = duration;
  const reference = referenceAmount(template);
  const lone = /^\s*\$\{?([^{}\s]+?)\}?\s*$/.exec(template)?.[1];
  const name = lone !== undefined && run.variables.has(lone) ? lone : reference?.name;
  const variable = name === undefined ? undefined : run.variables.get(name);
  const number = variable && numberOf(variable);
  // With a unit of its own the suffix behind it can only repeat that it is a time: 2 s never become 2 min.
  const ms =
    number?.unit !== undefined && (name === lone || reference)
      ? ownMs(name!, { value: reference?.isNegative ? -number.value : number.value, unit: number.unit })
      : number && name === lone
        ? number.value
        : parseDuration(run.strictText(template));
  if (ms === undefined || !(ms >= 0) || !Number.isFinite(ms))
    throw new RunFault(
      'SCN126',
      `"${run.text(template)}" is not a duration; use for example 500 ms, 1.5 s or 2 min`,
    );
  return ms;
}

/** @throws RunFault SCN240 for an amount that is not a time */
function ownMs(name: string, { value, unit }: { value: number; unit: string }): number {
  const ms = convert(value, unit, 'ms') ?? parseDuration(`${formatNumber(value)} ${unit}`);
  if (ms === undefined)
    throw new RunFault(
      'SCN240',
      `${name} is in ${unit}, which is not a time; use a variable in ms, s, min or h`,
    );
  return ms;
}
