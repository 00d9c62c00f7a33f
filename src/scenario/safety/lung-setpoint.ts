import { lungCommand } from '../../rig/actuators/lung-command.ts';
import { type AbstractValue, type Alternatives, convertRange, type NumberRange } from './abstract-value.ts';
import { AT_REST, type Effect, type Setpoint } from './effect.ts';
import { limitProblem } from './limit-problem.ts';
import { type LungOrder, longestLungMs } from './lung-time.ts';
import { parameterRange, type Range } from './parameter-range.ts';
import type { SetpointContext } from './setpoint.ts';

/** Numbers of an order, each from its smallest to its largest. */
export type LungRanges = Readonly<Record<keyof LungOrder, Range>>;

/** What a value asks of the lung: cycles to start with, or rest. */
type Wanted = { readonly cycles: Range } | 'stop';

const UNKNOWN_CYCLES: Range = { low: 1, high: Number.POSITIVE_INFINITY };

/** SET of a lung. Text that is not a command of a lung is an error when it runs and moves nothing. */
export function lungSetpoint(target: string, values: Alternatives, context: SetpointContext): Setpoint {
  const { variables } = context;
  const wanted = values.flatMap((value) => wantedOf(value, context));
  const stops = wanted.includes('stop') ? [AT_REST] : [];
  const starts = wanted.filter((one) => one !== 'stop');
  const steps = parameterRange('LUNG_STEPS', variables);
  const speed = parameterRange('LUNG_SPEED', variables);
  const pauseS = parameterRange('LUNG_PAUSE', variables);
  if (starts.length === 0 || !steps || !speed || !pauseS) return { effects: stops, problems: [] };
  const cycles = {
    low: Math.min(...starts.map((one) => one.cycles.low)),
    high: Math.max(...starts.map((one) => one.cycles.high)),
  };
  const started = lungStart(target, { steps, speed, cycles, pauseS }, context);
  return { effects: [...stops, ...started.effects], problems: started.problems };
}

/** From the start on it is unknown when exactly it ends. */
export function lungStart(
  target: string,
  { steps, speed, cycles, pauseS }: LungRanges,
  { limits }: SetpointContext,
): Setpoint {
  const remedy = (name: string, limit: number) => `CALC n = MIN 'm, ${limit}' and SET ${name} '$n'`;
  const limited = [
    [steps, 'LUNG_STEPS', limits.lungMaxSteps, 'lung.max_steps', 'the steps of', ' steps'],
    [speed, 'LUNG_SPEED', limits.lungMaxSpeed, 'lung.max_speed', 'the speed of', ' (1/10000 step/s)'],
    [cycles, target, limits.lungMaxCycles, 'lung.max_cycles', 'the cycles of', ' cycles'],
  ] as const;
  const problems = limited.flatMap(([range, name, limit, key, what, unit]) => {
    const about = { what: `${what} ${target}`, unit, limit, key, remedy: remedy(name, limit) };
    return limitProblem(about, [range.high]) ?? [];
  });
  const lungMs = longestLungMs({
    steps: steps.high,
    speed: speed.low,
    cycles: cycles.high,
    pauseS: pauseS.high,
  });
  const effect: Effect = { state: 'unknown', lungMs };
  return { effects: [effect], problems };
}

function wantedOf(value: AbstractValue, context: SetpointContext): Wanted[] {
  if (value.kind === 'unset') return [];
  if (value.kind === 'any') return ['stop', { cycles: UNKNOWN_CYCLES }];
  if (value.kind === 'number') return wantedByNumber(value, context);
  const command = lungCommand(value.text, undefined);
  if (command?.action === 'stop') return ['stop'];
  if (command?.action !== 'start') return [];
  const cycles = parameterRange('LUNG_CYCLES', context.variables);
  return cycles ? [{ cycles }] : [];
}

function wantedByNumber(value: NumberRange, { variables }: SetpointContext): Wanted[] {
  if (value.knowledge === 'none') return ['stop', { cycles: UNKNOWN_CYCLES }];
  if (value.high < 0) return [];
  const stop: Wanted[] = value.low <= 0 ? ['stop'] : [];
  const { unit } = value;
  if (unit === undefined || /^cycles?$/i.test(unit))
    return value.high < 1 ? stop : [...stop, { cycles: { low: Math.max(1, value.low), high: value.high } }];
  const litres = convertRange(value, 'l');
  if (!litres) return [];
  const stroke = parameterRange('LUNG_STROKE_VOLUME', variables);
  if (!stroke || litres.high === 0) return stop;
  const high = stroke.low === 0 ? Number.POSITIVE_INFINITY : Math.round(litres.high / stroke.low);
  return high < 1 ? stop : [...stop, { cycles: { low: 1, high } }];
}
