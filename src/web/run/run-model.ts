import type { RunEvent, SafeStateStep } from '../../scenario/events/event.ts';
import type { RunBatch } from '../../services/server/live/live-schema.ts';
import { thinTrace } from '../../services/server/live/thin-batch.ts';

type Of<T extends RunEvent['type']> = Extract<RunEvent, { type: T }>;

export interface BlockState {
  readonly name: string;
  readonly kind: 'GOAL' | 'CONFIG';
  readonly teardown: boolean;
  /** `pending`, `running`, or how it has ended. */
  readonly state: string;
  readonly attempt: number;
  readonly message: string | null;
}

export interface CheckState {
  readonly key: string;
  readonly block: number | null;
  readonly sensor: string | null;
  readonly kind: string;
  readonly low: number | null;
  readonly high: number | null;
  readonly actual: number | string | boolean | null;
  readonly unit: string | null;
  readonly outcome: string;
  readonly message: string;
  /** First and last time it was judged, of the run's clock, ms. */
  readonly from: number;
  readonly to: number;
}

/** Values of one sensor over the run. */
export interface TraceState {
  readonly unit: string | null;
  readonly t: readonly number[];
  readonly v: readonly (number | null)[];
}

export interface LogLine {
  readonly seq: number;
  readonly time: string;
  readonly level: string;
  readonly message: string;
}

/** A run as its events have told it so far. */
export interface RunModel {
  readonly runId: string;
  readonly scenario: string | null;
  readonly blocks: readonly BlockState[];
  readonly current: number | null;
  readonly command: string | null;
  readonly checks: readonly CheckState[];
  readonly traces: ReadonlyMap<string, TraceState>;
  readonly log: readonly LogLine[];
  readonly safeState: { readonly ok: boolean; readonly steps: readonly SafeStateStep[] } | null;
  readonly end: Of<'run.end'> | null;
  /** Number of the last event. */
  readonly last: number;
  /** Of the run's clock, ms. */
  readonly t: number;
}

const MOST_LINES = 300;
const MOST_CHECKS = 1000;
/** Points of one sensor; more are thinned, so that an hour of a plot takes no more memory than a minute. */
const MOST_POINTS = 6000;
const BOUNDS: ReadonlySet<string> = new Set(['MIN', 'MAX', 'RANGE']);

export const newRun = (runId: string): RunModel => ({
  runId,
  scenario: null,
  blocks: [],
  current: null,
  command: null,
  checks: [],
  traces: new Map(),
  log: [],
  safeState: null,
  end: null,
  last: -1,
  t: 0,
});

/** @param model what was known before; of another run, or undefined, when this one begins */
export function withBatch(model: RunModel | undefined, batch: RunBatch): RunModel {
  const known = model?.runId === batch.run_id && batch.first > model.last;
  let next: RunModel = known && model ? model : newRun(batch.run_id);
  for (const event of batch.events) next = withEvent(next, event);
  const traces = new Map(next.traces);
  for (const [sensor, { unit, t, v }] of Object.entries(batch.traces)) {
    const before = traces.get(sensor);
    const joined = { unit, t: (before?.t ?? []).concat(t), v: (before?.v ?? []).concat(v) };
    traces.set(sensor, joined.t.length > MOST_POINTS ? thinTrace(joined, MOST_POINTS / 2) : joined);
  }
  const times = Object.values(batch.traces).map(({ t }) => t.at(-1) ?? 0);
  const last = batch.events.at(-1)?.t ?? 0;
  return { ...next, traces, last: batch.last, t: Math.max(next.t, last, ...times) };
}

/** One more batch; with the last one it becomes one where it is its continuation. */
export function joinedBatches(batches: readonly RunBatch[], next: RunBatch): RunBatch[] {
  const last = batches.at(-1);
  if (!last || last.run_id !== next.run_id || next.first <= last.last) return [...batches, next];
  const traces = { ...last.traces };
  for (const [sensor, { unit, t, v }] of Object.entries(next.traces)) {
    const before = traces[sensor];
    traces[sensor] = { unit, t: (before?.t ?? []).concat(t), v: (before?.v ?? []).concat(v) };
  }
  const events = [...last.events, ...next.events];
  return [...batches.slice(0, -1), { ...next, first: last.first, events, traces }];
}

function withEvent(model: RunModel, event: RunEvent): RunModel {
  switch (event.type) {
    case 'run.start':
      return {
        ...model,
        scenario: event.scenario,
        blocks: event.plan.map(({ name, kind, teardown, leftOut }) => ({
          ...{ name, kind, teardown, attempt: 0, message: null },
          state: leftOut ? 'skipped' : 'pending',
        })),
      };
    case 'block.start':
      return withBlock({ ...model, current: event.goal }, event.goal, {
        state: 'running',
        attempt: event.attempt,
        message: null,
      });
    case 'block.end':
      return withBlock({ ...model, command: null }, event.goal, {
        state: event.procedure && event.outcome === 'passed' ? 'done' : event.outcome,
        message: event.message,
      });
    case 'command.start':
      return { ...model, command: event.text };
    case 'command.end':
      return event.message === null
        ? model
        : withLine(model, event, event.outcome === 'error' ? 'error' : 'warning', event.message);
    case 'check':
      return { ...model, checks: withCheck(model.checks, event) };
    case 'log':
      return withLine(model, event, event.level, event.message);
    case 'safe-state':
      return { ...model, safeState: event };
    case 'run.end':
      return { ...model, end: event, command: null, current: null };
    default:
      return model;
  }
}

function withBlock(model: RunModel, index: number | null, change: Partial<BlockState>): RunModel {
  const blocks = model.blocks.map((block, at) => (at === index ? { ...block, ...change } : block));
  return { ...model, blocks };
}

function withLine(model: RunModel, { seq, time }: RunEvent, level: string, message: string): RunModel {
  return { ...model, log: [...model.log, { seq, time, level, message }].slice(-MOST_LINES) };
}

/** A bound judges every value and is one row: its last value, and a failure stays. */
function withCheck(checks: readonly CheckState[], event: Of<'check'>): CheckState[] {
  const { goal: block, sensor, kind, low, high, actual, unit, outcome, message, seq, t } = event;
  const isBound = BOUNDS.has(kind);
  const key = isBound ? [block, kind, sensor, low, high].join(' ') : String(seq);
  const row = { key, block, sensor, kind, low, high, actual, unit, outcome, message, from: t, to: t };
  const at = isBound ? checks.findIndex((one) => one.key === key) : -1;
  if (at < 0) return [...checks, row].slice(-MOST_CHECKS);
  const before = checks[at];
  const isKept = before && before.outcome !== 'passed' && outcome === 'passed';
  const kept = { ...(isKept ? before : row), from: before?.from ?? t, to: t };
  return checks.map((one, i) => (i === at ? kept : one));
}

/** Limits of a time, ms of the run's clock. */
export interface TimedLimit {
  readonly low: number | null;
  readonly high: number | null;
  readonly from: number;
  readonly to: number;
}

/** Limits that a sensor was or is judged by, in the unit of its values, each when it was judged. */
export function limitsOf(model: RunModel, sensor: string): TimedLimit[] {
  const { unit } = model.traces.get(sensor) ?? {};
  return model.checks
    .filter((check) => check.sensor === sensor && check.unit === unit && (check.low ?? check.high) !== null)
    .map(({ low, high, from, to }) => ({ low, high, from, to }));
}
