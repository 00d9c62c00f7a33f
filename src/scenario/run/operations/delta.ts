import { isOffsetScale } from '../../../rig/units/amount.ts';
import type { Instruction } from '../../program/instruction.ts';
import type { ComparisonOperator } from '../../program/operand.ts';
import { RunFault } from '../../rig/fault.ts';
import { formatNumber } from '../../values/number.ts';
import { defaultText, finiteOrNull } from '../check-text.ts';
import type { Command, Flow } from '../command.ts';
import { compare } from '../compare.ts';
import { unitOfBounds } from '../judge-bounds.ts';
import { type Limit, limitOf } from '../limit.ts';
import { calibrationMember } from '../measured.ts';
import { pauseUntil } from '../pause.ts';
import type { Change } from '../sample-window.ts';
import { Sampler } from '../sampler.ts';
import { namesOf, type Target, targetOf } from '../target.ts';
import { conclude } from './check.ts';
import { durationMs } from './wait.ts';

/** Interval of a window of its own: at least two of them fit into it. */
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
  requireDifference(threshold, target);
  // A threshold without unit is one in the sensor's own.
  const unit = threshold.unit ?? (target.kind === 'sensor' ? target.sensor.unit : undefined);
  const sampler = goal.samplers.get(target.key);
  const change = sampler
    ? await sampledChange(sampler, windowMs, unit, command)
    : await ownWindow(target, windowMs, unit, command);
  const range = rangeOf(signed(instruction, threshold.value, target));
  const actual = change.value;
  const holds = compare(actual, range.operator, range.value);
  return conclude(
    {
      kind: 'IF_DELTA',
      holds,
      sensor: target.name,
      op: range.operator,
      low: finiteOrNull(range.low),
      high: finiteOrNull(range.high),
      actual,
      unit: change.unit,
      ...calibrationMember(change.last),
      text: defaultText(`Δ${target.name}`, holds, range.low, range.high, change.unit),
      names: namesOf(target),
    },
    instruction.texts,
    command,
  );
}

/** A temperature is no change of one. @throws RunFault SCN240 */
function requireDifference(threshold: Limit, { name }: Target): void {
  if (threshold.measure !== 'point' || !isOffsetScale(threshold.unit)) return;
  throw new RunFault(
    'SCN240',
    `IF_DELTA ${name}: the threshold is a temperature and not a difference of temperatures; use a difference (.delta, CALC SUB)`,
  );
}

async function sampledChange(
  sampler: Sampler,
  windowMs: number,
  unit: string | undefined,
  { run, goal }: Command,
): Promise<Change> {
  const now = run.clock.monotonic();
  await sampler.settle();
  goal.signal.throwIfAborted();
  return sampler.window.change(windowMs, now, unit);
}

async function ownWindow(
  target: Target,
  windowMs: number,
  unit: string | undefined,
  command: Command,
): Promise<Change> {
  const { run, goal } = command;
  const intervalMs = Math.max(1, Math.min(OWN_INTERVAL_MS, windowMs / 2));
  const sampler = new Sampler(target, unit ?? unitOfBounds(target.key, goal), intervalMs, command.pos, goal);
  const end = run.clock.monotonic() + windowMs;
  try {
    sampler.start();
    await pauseUntil(end, command);
    await sampler.stop();
  } finally {
    sampler.cancel();
  }
  sampler.window.requireGood();
  return sampler.window.change(windowMs, run.clock.monotonic(), unit);
}

/**
 * The threshold with its sign, which is that of the value and not of the text.
 * @throws RunFault SCN411 where a written sign says the opposite of the value
 */
function signed({ direction }: Delta, value: number, { name }: Target): number {
  if ((direction !== 'rise' || value >= 0) && (direction !== 'fall' || value <= 0)) return value;
  throw new RunFault(
    'SCN411',
    `IF_DELTA ${name}: a ${direction} was written, but its threshold is ${formatNumber(value)}; write the variable without a sign`,
  );
}

/** `+x` Δ > x, `-x` Δ < −x, `0` Δ = 0. */
function rangeOf(value: number): { operator: ComparisonOperator; value: number; low: number; high: number } {
  const { NEGATIVE_INFINITY, POSITIVE_INFINITY } = Number;
  if (value > 0) return { operator: '>', value, low: value, high: POSITIVE_INFINITY };
  if (value < 0) return { operator: '<', value, low: NEGATIVE_INFINITY, high: value };
  return { operator: '=', value: 0, low: 0, high: 0 };
}
