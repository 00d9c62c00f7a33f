import type { Measure } from '../../rig/units/amount.ts';
import { RunFault } from '../rig/fault.ts';
import type { Pos } from '../source/position.ts';
import { inUnit } from './convert-reading.ts';
import type { GoalContext } from './goal-context.ts';
import { numberOf } from './limit.ts';
import { type Measured, readingOf } from './measured.ts';
import type { Target } from './target.ts';

export interface Ask {
  /** Absent: the unit of the sensor itself. */
  readonly unit?: string | undefined;
  /** What a variable that was written down stands for here. */
  readonly measure?: Measure | undefined;
  /** A sample point: no event of its own. */
  readonly background?: boolean;
  readonly signal: AbortSignal;
  readonly pos: Pos;
}

/**
 * A fresh reading of a sensor, a variable or the timer, reported as an event and remembered as the last of its goal.
 * @throws RunFault SCN402 failed, SCN403 stale, SCN404 simulated, SCN222 no such name, SCN227 and SCN240 units
 */
export async function read(target: Target, ask: Ask, goal: GoalContext): Promise<Measured> {
  const found = await measure(target, ask, goal);
  const measured = inUnit(found, ask.unit, goal.run.scaleOf(sensorOf(target)), found.measure ?? ask.measure);
  if (!ask.background) goal.run.emit({ type: 'reading', ...readingOf(measured) }, goal.place(ask.pos));
  goal.remember(measured, ask.background);
  return measured;
}

const sensorOf = (target: Target) => (target.kind === 'sensor' ? target.sensor : undefined);

async function measure(target: Target, ask: Ask, goal: GoalContext): Promise<Measured> {
  if (target.kind === 'variable') return measureVariable(target, goal);
  if (target.kind === 'timer') return measureTimer(target, ask, goal);
  const { run } = goal;
  const sensor = sensorOf(target);
  const raw = await run.rig.read(
    {
      name: target.name,
      id: sensor?.id ?? target.name,
      ...(ask.unit === undefined ? {} : { unit: ask.unit }),
      ownUnit: sensor?.unit ?? null,
      background: ask.background === true,
    },
    ask.signal,
  );
  const place = sensor && sensor.id !== target.name ? `${target.name} (${sensor.id})` : target.name;
  if (!Number.isFinite(raw.value)) throw new RunFault('SCN402', `reading of ${place} is not a finite number`);
  if (raw.ageMs > run.settings.maxAgeMs)
    throw new RunFault(
      'SCN403',
      `reading of ${place} was ${Math.round(raw.ageMs)} ms old when its answer arrived; the limit is ${run.settings.maxAgeMs} ms`,
    );
  if (raw.simulated && !run.settings.simulated)
    throw new RunFault('SCN404', `reading of ${place} is simulated; add --simulated to run on a simulation`);
  const hasRaw = raw.recompute === undefined;
  return {
    sensor: target.name,
    key: target.key,
    value: raw.value,
    unit: raw.unit,
    raw: hasRaw ? raw.value : null,
    rawUnit: hasRaw ? raw.unit : null,
    measure: 'point',
    recompute: raw.recompute,
    conversion: raw.conversion,
    at: raw.at,
    ageMs: raw.ageMs,
    source: raw.source,
    simulated: raw.simulated,
    bench: raw.bench,
  };
}

type Own = Pick<Measured, 'value' | 'unit' | 'source' | 'simulated' | 'measure' | 'recompute'>;

function own(target: Target, goal: GoalContext, values: Own): Measured {
  return {
    sensor: target.name,
    key: target.key,
    raw: null,
    rawUnit: null,
    at: new Date(goal.run.clock.now()).toISOString(),
    ageMs: 0,
    bench: false,
    ...values,
  };
}

/** @throws RunFault SCN411 when it is not set or a text */
export function measureVariable(target: Extract<Target, { kind: 'variable' }>, goal: GoalContext): Measured {
  const variable = goal.run.variables.get(target.name);
  if (!variable) throw new RunFault('SCN411', goal.run.variables.whyUnset(target.name));
  const number = numberOf(variable);
  if (!number) throw new RunFault('SCN411', `the variable ${target.name} is a text, not a number`);
  return own(target, goal, {
    value: number.value,
    unit: number.unit ?? null,
    measure: number.measure,
    recompute: number.recompute,
    source: 'variable',
    simulated: variable.simulated === true,
  });
}

function measureTimer(
  target: Extract<Target, { kind: 'timer' }>,
  { unit = 's' }: Ask,
  goal: GoalContext,
): Measured {
  return inUnit(own(target, goal, goal.run.rig.elapsed(goal.timerStartedAt, unit)), unit, undefined);
}
