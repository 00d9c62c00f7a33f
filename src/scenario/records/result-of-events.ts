import type { RunEvent, Variable } from '../events/event.ts';
import { countedOutcome, worstOf } from '../run/outcome.ts';
import { type GoalResult, isJudged, type Result, type SampleSeries } from '../run/result.ts';
import { Statistics } from '../run/statistics.ts';
import { posInLine } from '../source/position.ts';

type EventOf<Type extends RunEvent['type']> = Extract<RunEvent, { type: Type }>;
type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/**
 * What the events of a run tell of it, for a run that was cut before it had a result. A block that had begun and not
 * ended was aborted.
 * @param source name of the scenario; @param startedAt ISO time, for a run without events
 */
export function resultOfEvents(events: readonly RunEvent[], source: string, startedAt: string): Result {
  const start = events.find((event): event is EventOf<'run.start'> => event.type === 'run.start');
  const end = events.findLast((event): event is EventOf<'run.end'> => event.type === 'run.end');
  const goals = goalsOf(start, events, source);
  const outcome =
    end?.outcome ??
    worstOf([...goals.map((goal) => countedOutcome(goal.outcome ?? 'skipped', goal)), 'aborted']);
  const last = events.at(-1);
  return {
    ok: end?.ok ?? false,
    outcome,
    judged: end?.judged ?? goals.some(isJudged),
    simulated: events.some(({ simulated }) => simulated),
    bench: events.some(({ bench }) => bench === true),
    source: start?.file ?? source,
    startedAt: start?.time ?? startedAt,
    durationMs: end?.durationMs ?? last?.t ?? 0,
    passed: end?.passed ?? goals.filter((goal) => goal.outcome === 'passed' && !goal.procedure).length,
    total: goals.length,
    goals,
    events,
    diagnostics: events.flatMap((event) => (event.type === 'diagnostic' ? [event.diagnostic] : [])),
    variables: variablesOf(events),
    samples: samplesOf(events),
    exports: {},
  };
}

function goalsOf(
  start: EventOf<'run.start'> | undefined,
  events: readonly RunEvent[],
  source: string,
): GoalResult[] {
  const goals = (start?.plan ?? []).map(
    (block): Mutable<GoalResult> => ({
      ...block,
      outcome: null,
      checks: 0,
      failedChecks: 0,
      attempts: 0,
      durationMs: 0,
      pos: posInLine(source, 1, 1, 1),
    }),
  );
  const open = new Set<Mutable<GoalResult>>();
  for (const event of events) {
    const goal = goals.find(({ index }) => index === event.goal);
    if (!goal) continue;
    if (event.type === 'block.start') {
      goal.attempts += 1;
      if (event.pos) goal.pos = event.pos;
      open.add(goal);
    }
    if (event.type === 'block.end') {
      take(goal, event);
      open.delete(goal);
    }
  }
  for (const goal of goals) {
    if (open.has(goal)) Object.assign(goal, { outcome: 'aborted', message: 'the record ends here' });
    goal.outcome ??= 'skipped';
  }
  return goals;
}

/** The end of a block reports its outcome and its counts over all its entries; a retry replaces the attempt before it. */
function take(goal: Mutable<GoalResult>, end: EventOf<'block.end'>): void {
  // Records of earlier versions have no message where an entry changed nothing.
  if (end.message !== null) goal.message = end.message;
  else if (end.outcome !== goal.outcome) delete goal.message;
  goal.outcome = end.outcome;
  goal.checks = end.checks;
  goal.failedChecks = end.failedChecks;
  goal.durationMs += end.durationMs;
  if (end.pos) goal.pos = end.pos;
}

function variablesOf(events: readonly RunEvent[]): Record<string, Variable> {
  const variables: Record<string, Variable> = Object.create(null);
  for (const event of events)
    if (event.type === 'variable') {
      const { name, value, unit, simulated } = event;
      variables[name] = {
        value,
        ...(unit === null ? {} : { unit }),
        ...(simulated ? { simulated } : {}),
      };
    }
  return variables;
}

function samplesOf(events: readonly RunEvent[]): SampleSeries[] {
  const series: (SampleSeries & { points: [number, number | null][] })[] = [];
  for (const event of events) {
    if (event.type !== 'sample' || event.goal === null) continue;
    const { sensor, goal, unit, calibration, action, value, t, stats } = event;
    if (action === 'start') {
      const none = new Statistics().summary();
      series.push({ sensor, goal, unit, ...(calibration ? { calibration } : {}), points: [], stats: none });
      continue;
    }
    const at = series.findLastIndex((one) => one.sensor === sensor && one.goal === goal);
    const open = series[at];
    if (!open) continue;
    if (action !== 'stop') open.points.push([t, action === 'gap' ? null : value]);
    series[at] = {
      ...open,
      unit: unit ?? open.unit,
      ...(calibration ? { calibration } : {}),
      ...(stats ? { stats } : {}),
    };
  }
  return series.map((one) => (one.stats.count + one.stats.gaps > 0 ? one : { ...one, stats: statsOf(one) }));
}

function statsOf({ points }: SampleSeries) {
  const values = points.flatMap(([, value]) => value ?? []);
  return Statistics.of(values, points.length - values.length).summary();
}
