import type { RunEvent } from '../../../scenario/events/event.ts';

/** Values of one sensor in the order of time; null where a sample is missing. */
export interface Trace {
  unit: string | null;
  /** Milliseconds since the start of the run. */
  t: number[];
  v: (number | null)[];
}

/** What a part of a run's events is to a page. */
export interface Batch {
  /** Without single values, and without what a page does not show. */
  events: RunEvent[];
  /** By sensor. */
  traces: Record<string, Trace>;
}

/** Points of one sensor in one batch; more become minimum and maximum of as many intervals as fit. */
const MOST_POINTS = 20;

const NOT_SHOWN: ReadonlySet<RunEvent['type']> = new Set(['http', 'variable', 'wait', 'diagnostic']);
const BOUNDS: ReadonlySet<string> = new Set(['MIN', 'MAX', 'RANGE']);

type Check = Extract<RunEvent, { type: 'check' }>;

/**
 * Makes a part of a run's events small enough for a screen: of many values of one sensor the smallest and the largest of
 * each interval, of many judgements of one bound the failed and the last one, of many commands the failed and the last.
 */
export function thinBatch(all: readonly RunEvent[]): Batch {
  const traces: Record<string, Trace> = {};
  const lastOfBound = new Map<string, number>();
  let lastCommand = -1;
  all.forEach((event, at) => {
    if (event.type === 'check' && isBound(event)) lastOfBound.set(boundOf(event), at);
    if (event.type === 'command.start') lastCommand = at;
  });
  const events = all.filter((event, at) => {
    if (event.type === 'reading') addPoint(traces, event.sensor, event.unit, event.t, event.value);
    if (event.type === 'sample' && (event.action === 'point' || event.action === 'gap'))
      addPoint(traces, event.sensor, event.unit, event.t, event.value);
    if (event.type === 'reading' || NOT_SHOWN.has(event.type)) return false;
    if (event.type === 'sample') return event.action === 'start' || event.action === 'stop';
    if (event.type === 'lease') return event.action !== 'renew';
    if (event.type === 'command.start') return at === lastCommand;
    if (event.type === 'command.end') return event.outcome !== 'passed';
    if (event.type === 'check' && isBound(event))
      return event.outcome !== 'passed' || lastOfBound.get(boundOf(event)) === at;
    return true;
  });
  for (const [sensor, trace] of Object.entries(traces)) traces[sensor] = thinTrace(trace);
  return { events, traces };
}

const isBound = ({ kind }: Check): boolean => BOUNDS.has(kind);
const boundOf = ({ goal, kind, sensor, low, high }: Check): string =>
  [goal, kind, sensor, low, high].join(' ');

function addPoint(
  traces: Record<string, Trace>,
  sensor: string,
  unit: string | null,
  t: number,
  v: number | null,
): void {
  const trace = traces[sensor] ?? { unit, t: [], v: [] };
  traces[sensor] = trace;
  trace.t.push(t);
  trace.v.push(v);
}

/** Smallest and largest value of each interval, in the order of time; a gap stays a gap. */
export function thinTrace(trace: Trace, most = MOST_POINTS): Trace {
  const { unit, t, v } = trace;
  if (t.length <= most) return trace;
  const perInterval = Math.ceil(t.length / Math.floor(most / 2));
  const kept: number[] = [];
  for (let from = 0; from < t.length; from += perInterval) {
    let least = -1;
    let greatest = -1;
    let gap = -1;
    for (let at = from; at < Math.min(from + perInterval, t.length); at++) {
      const value = v[at];
      if (value === null || value === undefined) gap = at;
      else {
        if (least < 0 || value < (v[least] ?? 0)) least = at;
        if (greatest < 0 || value > (v[greatest] ?? 0)) greatest = at;
      }
    }
    const found = [...new Set([least, greatest, gap])].filter((at) => at >= 0);
    kept.push(...found.sort((one, other) => one - other));
  }
  return { unit, t: kept.map((at) => t[at] ?? 0), v: kept.map((at) => v[at] ?? null) };
}
