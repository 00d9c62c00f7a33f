import { convertDifference } from '../../../rig/units/units.ts';
import type { Instruction } from '../../program/instruction.ts';
import { chooseValue } from '../../rig/dry/choose-value.ts';
import { RunFault } from '../../rig/fault.ts';
import type { Wish } from '../../rig/rig.ts';
import { defaultText, finiteOrNull } from '../check-text.ts';
import type { Command, Flow } from '../command.ts';
import { compare } from '../compare.ts';
import { unitOfBounds } from '../judge-bounds.ts';
import { type Limit, limitOf } from '../limit.ts';
import { calibrationMember } from '../measured.ts';
import { pauseUntil } from '../pause.ts';
import { type Change, Sampler } from '../sampler.ts';
import { namesOf, type Target, targetOf } from '../target.ts';
import { conclude } from './check.ts';
import { durationMs } from './wait.ts';

const OWN_INTERVAL_MS = 100;

type Delta = Extract<Instruction, { op: 'delta' }>;

/**
 * IF_DELTA: the change over a window. A sensor that is being sampled is judged by its points; another one is sampled
 * for the length of the window (language specification, sections 2.1 and 6.5).
 */
export async function delta(instruction: Delta, command: Command): Promise<Flow> {
  const { run, goal } = command;
  const target = targetOf(instruction.subject, run);
  command.about(...namesOf(target));
  const windowMs = durationMs(instruction.windowMs, run);
  const threshold = limitOf(instruction.threshold, run);
  const sampler = goal.samplers.get(target.key);
  const change = sampler ? sampler.change(windowMs) : await ownWindow(target, windowMs, threshold, command);
  if (!change)
    throw new RunFault(
      'SCN402',
      `IF_DELTA ${target.name}: fewer than two sample points in the last ${windowMs} ms; sample faster or longer`,
    );
  const unit = threshold.unit ?? change.unit ?? undefined;
  const range = rangeOf(instruction.direction, Math.abs(threshold.value));
  const actual = changeIn(change, unit, range.wish, target, run.dry);
  const holds = compare(actual, range.wish.operator, range.wish.value);
  return conclude(
    {
      kind: 'IF_DELTA',
      holds,
      sensor: target.name,
      op: range.wish.operator,
      low: finiteOrNull(range.low),
      high: finiteOrNull(range.high),
      actual,
      unit: unit ?? null,
      ...calibrationMember(change.last),
      text: defaultText(`Δ${target.name}`, holds, range.low, range.high, unit),
      names: namesOf(target),
    },
    instruction.texts,
    command,
  );
}

async function ownWindow(
  target: Target,
  windowMs: number,
  threshold: Limit,
  command: Command,
): Promise<Change | undefined> {
  const { run, goal } = command;
  const unit = threshold.unit ?? unitOfBounds(target.key, goal);
  const sampler = new Sampler(target, unit, OWN_INTERVAL_MS, command.pos, goal);
  const end = run.clock.monotonic() + windowMs;
  try {
    await sampler.start();
    await pauseUntil(end, command);
    await sampler.stop();
  } finally {
    sampler.cancel();
  }
  sampler.requireGood();
  return sampler.change(Number.POSITIVE_INFINITY);
}

/** `+x` Δ > x, `-x` Δ < −x, `0` Δ = 0. */
function rangeOf(direction: Delta['direction'], amount: number): { wish: Wish; low: number; high: number } {
  const { NEGATIVE_INFINITY, POSITIVE_INFINITY } = Number;
  if (direction === 'rise')
    return { wish: { operator: '>', value: amount }, low: amount, high: POSITIVE_INFINITY };
  if (direction === 'fall')
    return { wish: { operator: '<', value: -amount }, low: NEGATIVE_INFINITY, high: -amount };
  return { wish: { operator: '=', value: 0 }, low: 0, high: 0 };
}

function changeIn(
  change: Change,
  unit: string | undefined,
  wish: Wish,
  target: Target,
  dry: boolean,
): number {
  if (dry && change.free) return chooseValue([[wish]], unit ?? null).value;
  if (unit === undefined || change.unit === null) return change.value;
  const value = convertDifference(change.value, change.unit, unit);
  if (value === undefined)
    throw new RunFault('SCN240', `${target.name} was sampled in ${change.unit}, which is no ${unit}`);
  return value;
}
