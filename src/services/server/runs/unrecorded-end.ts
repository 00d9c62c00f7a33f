import type { RunEvent } from '../../../scenario/events/event.ts';
import type { RunFile } from '../../../scenario/records/run-file.ts';

/** The last event of a run whose disk did not take it, as its ending tells it; undefined when it is in the record. */
export function unrecordedEnd({ ending, events }: RunFile): RunEvent | undefined {
  if (!ending || !events || events.complete) return undefined;
  const { status, ok, passed, total, simulated, bench, started_at, ended_at } = ending;
  const durationMs = Math.max(0, Date.parse(ended_at) - Date.parse(started_at));
  return {
    seq: events.count,
    t: durationMs,
    time: ended_at,
    goal: null,
    pos: null,
    simulated,
    ...(bench ? { bench } : {}),
    type: 'run.end',
    outcome: status === 'done' ? 'passed' : status,
    ok,
    judged: status === 'passed' || status === 'failed',
    passed,
    total,
    durationMs,
  };
}
