import type { Measure } from '../../rig/units/amount.ts';
import { chooseValue, meets } from '../rig/dry/choose-value.ts';
import { RunFault } from '../rig/fault.ts';
import type { Wishes } from '../rig/rig.ts';
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
  readonly wishes?: Wishes;
  /** A sample point: no event of its own. */
  readonly background?: boolean;
  readonly signal: AbortSignal;
  readonly pos: Pos;
}

/**
 * A fresh reading of a sensor, a variable or the timer, told as an event and remembered as the last of its goal.
 * @throws RunFault SCN402 failed, SCN403 stale, SCN404 simulated, SCN222 no such name, SCN227 and SCN240 units
 */
export async function read(target: Target, ask: Ask, goal: GoalContext): Promise<Measured> {
  const found = await measure(target, ask, goal);
  const measured = inUnit(found, ask.unit, goal.run.scaleOf(sensorOf(target)), found.measure ?? ask.measure);
  if (!ask.background) {
    goal.run.emit({ type: 'reading', ...readingOf(measured) }, goal.place(ask.pos));
    if (measured.contradiction)
      goal.run.diagnose(
        'SCN243',
        `no value of ${measured.sensor} meets this check and the bounds of the goal`,
        goal.place(ask.pos),
      );
  }
  goal.remember(measured, ask.background);
  return measured;
}

const sensorOf = (target: Target) => (target.kind === 'sensor' ? target.sensor : undefined);

async function measure(target: Target, ask: Ask, goal: GoalContext): Promise<Measured> {
  if (target.kind === 'variable') return measureVariable(target, ask, goal);
  if (target.kind === 'timer') return measureTimer(target, ask, goal);
  const { run } = goal;
  if (target.kind === 'unknown' && !run.dry)
    throw new RunFault('SCN222', `"${target.name}" is no sensor of the rig and no variable of this scenario`);
  const sensor = sensorOf(target);
  const raw = await run.rig.read(
    {
      name: target.name,
      id: sensor?.id ?? target.name,
      ...(ask.unit === undefined ? {} : { unit: ask.unit }),
      ownUnit: sensor?.unit ?? null,
      wishes: ask.wishes ?? [],
      background: ask.background === true,
    },
    ask.signal,
  );
  const place = sensor && sensor.id !== target.name ? `${target.name} (${sensor.id})` : target.name;
  if (!Number.isFinite(raw.value)) throw new RunFault('SCN402', `reading of ${place} is no finite number`);
  if (!run.dry && raw.ageMs > run.settings.maxAgeMs)
    throw new RunFault(
      'SCN403',
      `reading of ${place} was ${Math.round(raw.ageMs)} ms old when its answer was there, at most ${run.settings.maxAgeMs} ms count as fresh`,
    );
  if (!run.dry && raw.simulated && !run.settings.simulated)
    throw new RunFault('SCN404', `reading of ${place} is simulated; a run on a simulation needs --simulated`);
  const chosen = raw.source === 'simulation';
  return {
    sensor: target.name,
    key: target.key,
    value: raw.value,
    unit: raw.unit,
    raw: chosen ? null : raw.value,
    rawUnit: chosen ? null : raw.unit,
    measure: 'point',
    conversion: raw.conversion,
    at: raw.at,
    ageMs: raw.ageMs,
    source: raw.source,
    simulated: raw.simulated,
    bench: raw.bench,
    free: raw.free,
    contradiction: raw.contradiction === true,
  };
}

type Own = Pick<Measured, 'value' | 'unit' | 'source' | 'simulated' | 'free' | 'measure' | 'recompute'>;

function own(target: Target, goal: GoalContext, values: Own): Measured {
  return {
    sensor: target.name,
    key: target.key,
    raw: null,
    rawUnit: null,
    at: new Date(goal.run.clock.now()).toISOString(),
    ageMs: 0,
    bench: false,
    contradiction: false,
    ...values,
  };
}

/** @throws RunFault SCN411 when it is not set or a text */
export function measureVariable(
  target: Extract<Target, { kind: 'variable' }>,
  { unit: asked, wishes = [] }: Pick<Ask, 'unit' | 'wishes'>,
  goal: GoalContext,
): Measured {
  const variable = goal.run.variables.get(target.name);
  if (!variable) throw new RunFault('SCN411', goal.run.variables.whyUnset(target.name));
  const number = numberOf(variable);
  if (!number) throw new RunFault('SCN411', `the variable ${target.name} is a text, not a number`);
  const measured = own(target, goal, {
    value: number.value,
    unit: number.unit ?? null,
    measure: number.measure,
    recompute: number.recompute,
    source: 'variable',
    simulated: variable.simulated === true,
    free: variable.free,
  });
  return measured.free ? asWished(measured, asked, wishes) : measured;
}

function measureTimer(
  target: Extract<Target, { kind: 'timer' }>,
  { unit: asked, wishes = [] }: Ask,
  goal: GoalContext,
): Measured {
  const { run } = goal;
  const given = run.dryRig?.given(target.name);
  if (given)
    return own(target, goal, {
      value: given.value,
      unit: given.unit ?? asked ?? 's',
      source: 'option',
      simulated: true,
      free: false,
    });
  const measured = inUnit(
    own(target, goal, {
      value: goal.elapsedMs(),
      unit: 'ms',
      source: 'timer',
      simulated: run.dry,
      free: run.dry,
    }),
    asked ?? 's',
    undefined,
  );
  return run.dry ? asWished(measured, asked, wishes) : measured;
}

/** Dry-run: the value as it is when it will do, else one that does. A unit that nothing leads to is refused as on the rig. */
function asWished(measured: Measured, asked: string | undefined, wishes: Wishes): Measured {
  const converted = inUnit(measured, asked, undefined);
  if (meets(converted.value, converted.unit, wishes)) return converted;
  const unit = asked ?? measured.unit;
  const { value, contradiction } = chooseValue(wishes, unit);
  return { ...measured, value, unit, source: 'simulation', contradiction };
}
